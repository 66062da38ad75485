package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
)

const (
	firstPoll   = 4 * time.Millisecond // a small change is indexed within some 20 ms
	pollGrowth  = 10                   // each wait is a tenth longer, so a completed task is noticed soon
	longestPoll = 25 * time.Millisecond
	tasksAtOnce = 500 // task ids in one request, whose URL is limited
)

// Wait returns when the engine has completed all tasks. If one fails, it returns that failure as a
// fault, without waiting for the others. After an Unavailable fault it may be called again. A
// NotFound fault means that the engine has lost the task.
func (c *Client) Wait(ctx context.Context, tasks ...int64) error {
	_, err := c.Await(ctx, tasks...)
	return err
}

// Task is a completed task. The times are the engine's.
type Task struct {
	ID                          int64
	Index                       string // name in the engine; "" for a task of several indexes
	Kind                        string // as the engine names it, "documentAdditionOrUpdate"
	Enqueued, Started, Finished time.Time
}

// Await is Wait and returns the tasks, in no particular order; with an error, only the tasks that
// are known to be completed.
func (c *Client) Await(ctx context.Context, tasks ...int64) ([]Task, error) {
	var completed []Task
	for chunk := range slices.Chunk(tasks, tasksAtOnce) {
		answer, err := c.wait(ctx, chunk)
		if err != nil {
			return completed, err
		}
		for _, task := range answer {
			completed = append(completed, Task{
				ID: task.UID, Index: task.IndexUID, Kind: string(task.Type),
				Enqueued: task.EnqueuedAt, Started: task.StartedAt, Finished: task.FinishedAt,
			})
		}
	}
	return completed, nil
}

// Settle waits until the engine has no task left for the read node's indexes, started by any
// process and with any result. A swap belongs to no single index, so the swaps of all read nodes
// that share the engine are awaited.
func (c *Client) Settle(ctx context.Context) error {
	open := []meilisearch.TaskStatus{meilisearch.TaskStatusEnqueued, meilisearch.TaskStatusProcessing}
	exchanges := &meilisearch.TasksQuery{
		Statuses: open, Types: []meilisearch.TaskType{meilisearch.TaskTypeIndexSwap}, Limit: 1,
	}
	writes := &meilisearch.TasksQuery{Statuses: open, Limit: 1}
	for _, settings := range document.Indexes {
		writes.IndexUIDS = append(writes.IndexUIDS, c.Name(settings.Name))
	}
	for _, query := range []*meilisearch.TasksQuery{exchanges, writes} {
		err := c.poll(ctx, query, "the open tasks", func(open []meilisearch.Task) (int, error) { return len(open), nil })
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) wait(ctx context.Context, tasks []int64) (completed []meilisearch.Task, err error) {
	query := &meilisearch.TasksQuery{UIDS: tasks, Limit: int64(len(tasks))}
	err = c.poll(ctx, query, fmt.Sprintf("%d tasks", len(tasks)), func(answer []meilisearch.Task) (int, error) {
		completed = answer
		return unfinished(answer, tasks)
	})
	if err != nil {
		return nil, err
	}
	return completed, nil
}

// poll reads tasks until count reports none open or an error. what is their name in errors.
func (c *Client) poll(
	ctx context.Context, query *meilisearch.TasksQuery, what string, count func([]meilisearch.Task) (open int, err error),
) error {
	for poll := firstPoll; ; poll = min(poll+poll/pollGrowth, longestPoll) {
		answer, err := c.engine.GetTasksWithContext(ctx, query)
		if err != nil {
			return fmt.Errorf("read the state of %s: %w", what, Fault(err))
		}
		open, err := count(answer.Results)
		if err != nil || open == 0 {
			return err
		}
		if err := sleep(ctx, poll); err != nil {
			return fmt.Errorf("wait for %s: %w", what, err)
		}
	}
}

// unfinished returns the number of tasks that may still succeed, or the failure of the first that
// failed.
func unfinished(answer []meilisearch.Task, tasks []int64) (open int, err error) {
	if len(answer) < len(tasks) {
		return 0, fault.New(fault.NotFound, codeTaskMissing, "the search index has only %d of %d tasks",
			len(answer), len(tasks))
	}
	for _, task := range answer {
		switch task.Status {
		case meilisearch.TaskStatusSucceeded:
		case meilisearch.TaskStatusFailed, meilisearch.TaskStatusCanceled:
			return 0, fmt.Errorf("task %d on %s %s: %w", task.UID, task.IndexUID, task.Status,
				refusal(0, task.Error.Type, task.Error.Code, task.Error.Message))
		default:
			open++
		}
	}
	return open, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
