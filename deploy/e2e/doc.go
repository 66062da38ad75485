// Package e2e holds the tests of the whole of Litfass: engines, services and gateway run as separate processes, and every
// answer is compared with the reference evaluator. The tests know the services only by what they promise: HTTP, the
// command line, the stream's messages and the index's documents.
//
// LITFASS_E2E_SEED draws other random catalogues, questions and edits than the usual ones.
package e2e
