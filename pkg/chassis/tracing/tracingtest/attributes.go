package tracingtest

import (
	"strconv"

	common "go.opentelemetry.io/proto/otlp/common/v1"
)

// attributes returns texts as they are, and whole numbers in decimal.
func attributes(all []*common.KeyValue) map[string]string {
	found := make(map[string]string, len(all))
	for _, one := range all {
		switch value := one.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			found[one.GetKey()] = value.StringValue
		case *common.AnyValue_IntValue:
			found[one.GetKey()] = strconv.FormatInt(value.IntValue, 10)
		}
	}
	return found
}
