// Package check holds the tests of the deployment files: compose.yaml and the
// Kubernetes manifests are read by the same code that their tools use, and held
// against what the services and the local stack know. It is a module of its own,
// so that nothing else depends on that code.
package check
