package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/deploy/local/proc"
)

// bare is a Fiber handler that does nothing but send the files of a folder from memory, in a
// process of its own like the query service, with which it is compared.
type bare struct {
	command *exec.Cmd
	url     string
}

// startBare starts this program as the handler of a folder. Stop it.
func startBare(ctx context.Context, folder string) (*bare, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b := &bare{command: exec.CommandContext(ctx, program, "-bare", folder)}
	b.command.Stderr = os.Stderr
	proc.EndWithParent(b.command)
	output, err := b.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := b.command.Start(); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		b.stop()
		return nil, fmt.Errorf("the bare handler does not start: %w", err)
	}
	b.url = "http://" + strings.TrimSpace(address)
	return b, nil
}

func (b *bare) stop() {
	_ = b.command.Process.Kill()
	_ = b.command.Wait() // reports the kill
}

// serveBare prints the address that it listens on and sends the files of a folder by their names
// until the process ends.
func serveBare(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
			return err
		}
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/:name", func(c *fiber.Ctx) error {
		file, known := files[c.Params("name")]
		if !known {
			return fiber.ErrNotFound
		}
		c.Type(filepath.Ext(c.Params("name")))
		return c.Send(file)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return app.Listener(listener)
}
