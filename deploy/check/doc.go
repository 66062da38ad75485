// Package check tests what lies outside of the services' own tests: the deployment files, the
// README, and rules about the whole tree, such as which package writes which table. compose.yaml
// and the Kubernetes manifests are read by the same code that their tools use. It is a module of
// its own, so that no other one depends on that code.
package check
