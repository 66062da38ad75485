"use strict";

SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.document,
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null, // no other host is asked
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
});
