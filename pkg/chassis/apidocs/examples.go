package apidocs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"litfass/pkg/chassis/strictjson"
)

// successes are the statuses of answers that have an example.
var successes = []string{"200", "202"}

// WithExamples returns a description, as JSON returns it, with an example of each operation's
// answer of success: the file ID.json of the folder for the operation whose operationId is ID, or
// ID.txt for an answer that is no JSON. An operation without a file stays as it is. It panics when
// a file cannot be read: they are embedded in the program.
func WithExamples(document []byte, folder fs.FS) []byte {
	return within(document, "paths", func(paths []byte) []byte {
		return eachMember(paths, func(_ string, operations []byte) []byte {
			return eachMember(operations, func(_ string, operation []byte) []byte {
				return withExample(operation, folder)
			})
		})
	})
}

func withExample(operation []byte, folder fs.FS) []byte {
	var named struct{ OperationID string }
	if err := json.Unmarshal(operation, &named); err != nil {
		panic(fmt.Sprintf("embedded OpenAPI description: %v", err))
	}
	example := exampleIn(folder, named.OperationID)
	if example == nil {
		return operation
	}
	for _, status := range successes {
		operation = at(operation, []string{"responses", status, "content"}, func(content []byte) []byte {
			return eachMember(content, func(_ string, media []byte) []byte {
				return append(media[:len(media)-1:len(media)-1], fmt.Sprintf(`,"example":%s}`, example)...)
			})
		})
	}
	return operation
}

// exampleIn returns the example of an operation as JSON, which a text is written as a string of;
// nil for none.
func exampleIn(folder fs.FS, operationID string) []byte {
	example, err := fs.ReadFile(folder, operationID+".json")
	if err == nil {
		return example
	}
	text, textErr := fs.ReadFile(folder, operationID+".txt")
	if errors.Is(err, fs.ErrNotExist) && errors.Is(textErr, fs.ErrNotExist) {
		return nil
	}
	if textErr != nil {
		panic(fmt.Sprintf("embedded example: %v", errors.Join(err, textErr)))
	}
	if example, err = json.Marshal(string(text)); err != nil {
		panic(err) // text always encodes
	}
	return example
}

// at is within for a member below others.
func at(object []byte, path []string, change func(value []byte) []byte) []byte {
	if len(path) == 0 {
		return change(object)
	}
	return within(object, path[0], func(value []byte) []byte { return at(value, path[1:], change) })
}

// within returns a JSON object with the value of one member changed.
func within(object []byte, name string, change func(value []byte) []byte) []byte {
	return eachMember(object, func(key string, value []byte) []byte {
		if key != name {
			return value
		}
		return change(value)
	})
}

// eachMember returns a JSON object with the value of every member changed, in the same order.
func eachMember(object []byte, change func(key string, value []byte) []byte) []byte {
	changed := []byte{'{'}
	for key, value := range strictjson.Members(object) {
		if len(changed) > 1 {
			changed = append(changed, ',')
		}
		quoted, err := json.Marshal(key)
		if err != nil {
			panic(err) // text always encodes
		}
		changed = append(append(changed, quoted...), ':')
		changed = append(changed, change(key, value)...)
	}
	return append(changed, '}')
}
