/** The headers of a request that a script of the page sends. They name the person for whom the page
 * was made: another one may have logged in since, in another tab. */
export function headers(): Record<string, string> {
  const person = document.body.dataset.user;
  return { "HX-Request": "true", ...(person && { "Litfass-Person": person }) };
}
