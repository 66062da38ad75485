// Package harness starts a stack for a test and has the functions that tests of several subjects
// use: accounts, editors and organizers, images, the engines behind the services, and the
// comparison of answers with the reference.
package harness
