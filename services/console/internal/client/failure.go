package client

import (
	"fmt"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

func unreachable(err error) error {
	return fault.Wrap(err, fault.Unavailable, "", "this cannot be read or saved now; try again shortly")
}

// failure returns the fault of an answer.
func failure(call Call, answer Answer) error {
	described, ok := web.Failed(answer.Status, answer.Body)
	if !ok {
		return unreachable(fmt.Errorf("%s: answer %d", call.route(), answer.Status))
	}
	return described
}
