module litfass/services/admin

go 1.26.0

require (
	litfass/migrations v0.0.0
	litfass/pkg v0.0.0
)

replace litfass/pkg => ../../pkg

replace litfass/migrations => ../../migrations
