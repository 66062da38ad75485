// Package run is the chassis of a process: configuration from the environment, logging, signals,
// and an ordered stop.
package run

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Common is the configuration that every service shares. Embed it in the service's own struct.
type Common struct {
	LogLevel    slog.Level    `env:"LOG_LEVEL" envDefault:"info"` // debug, info, warn or error
	LogFormat   Format        `env:"LOG_FORMAT" envDefault:"json"`
	Listen      string        `env:"LISTEN"`                     // host:port; each service gives its default to Config
	StopDelay   time.Duration `env:"STOP_DELAY" envDefault:"0s"` // for load balancers to notice the stop
	StopTimeout time.Duration `env:"STOP_TIMEOUT" envDefault:"10s"`
}

// Config reads a T from the environment variables named by its `env` tags. A variable that is
// neither set nor given an envDefault keeps its value in defaults, of which at most the first is
// used. The error names every variable that is missing or invalid, without its value, which may be
// a secret.
func Config[T any](defaults ...T) (T, error) {
	return configFrom(env.ToMap(os.Environ()), defaults...)
}

func configFrom[T any](environment map[string]string, defaults ...T) (T, error) {
	var config T
	if len(defaults) > 0 {
		config = defaults[0]
	}
	err := env.ParseWithOptions(&config, env.Options{Environment: environment})
	if err != nil {
		return config, describe[T](err, environment)
	}
	return config, nil
}

// describe turns the library's errors, which name Go fields, into one that names environment
// variables.
func describe[T any](err error, environment map[string]string) error {
	problems := missing(err)
	fields, fieldErr := env.GetFieldParams(new(T))
	if fieldErr != nil {
		return fmt.Errorf("configuration: %w", fieldErr)
	}
	for _, field := range fields {
		if value, set := environment[field.Key]; set && unreadable[T](field.Key, value) {
			problems = append(problems, field.Key+" is not valid")
		}
	}
	if len(problems) == 0 {
		return fmt.Errorf("configuration: %w", err)
	}
	return fmt.Errorf("configuration: %s", strings.Join(problems, "; "))
}

func missing(err error) []string {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return nil
	}
	var problems []string
	for _, one := range all.Errors {
		var unset env.VarIsNotSetError
		var empty env.EmptyVarError
		switch {
		case errors.As(one, &unset):
			problems = append(problems, unset.Key+" is not set")
		case errors.As(one, &empty):
			problems = append(problems, empty.Key+" is empty")
		}
	}
	return problems
}

// unreadable reports whether the value of key is invalid, by reading a T from that variable only.
func unreadable[T any](key, value string) bool {
	err := env.ParseWithOptions(new(T), env.Options{Environment: map[string]string{key: value}})
	var all env.AggregateError
	if !errors.As(err, &all) {
		return false
	}
	for _, one := range all.Errors {
		var bad env.ParseError
		if errors.As(one, &bad) {
			return true
		}
	}
	return false
}
