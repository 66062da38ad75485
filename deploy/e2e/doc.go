// Package e2e has the tests of the whole of Litfass, a folder for each subject: console, editing,
// faults, images, operating, search and site. Engines, services and gateway run as separate
// processes, started by package harness, and answers are compared with the reference evaluator. The
// tests use only the contracts of the services: HTTP, the command line, the stream's messages and
// the index's documents.
//
// LITFASS_E2E_SEED selects other random catalogues, queries and edits than the default.
package e2e
