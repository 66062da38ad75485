module litfass/migrations

go 1.26.0
