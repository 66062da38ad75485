module litfass/deploy/clients/go

go 1.26.0
