// Package e2e contains the tests of the whole of Litfass: engines, services and gateway run as
// separate processes, and every answer is compared with the reference evaluator. The tests use only
// the contracts of the services: HTTP, the command line, the stream's messages and the index's
// documents.
//
// LITFASS_E2E_SEED selects other random catalogues, queries and edits than the default.
package e2e
