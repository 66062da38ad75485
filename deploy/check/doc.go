// Package check contains the tests of the tree as a whole: compose.yaml and the Kubernetes
// manifests, read by the same code as their tools use; the READMEs, .github and the OpenAPI
// documents, compared with the code; and rules about all of it, such as which package writes which
// table. It is a module of its own, so that nothing else depends on that code. Command fence,
// below, checks dependencies between packages.
package check
