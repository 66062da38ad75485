module litfass/services/query

go 1.26.0

require litfass/pkg v0.0.0

replace litfass/pkg => ../../pkg
