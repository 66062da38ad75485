package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/document"
	"litfass/pkg/fault"
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
	for chunk := range slices.Chunk(tasks, tasksAtOnce) {
		if err := c.wait(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// Settle waits until the engine has no task left for the read node's indexes, started by any
// process and with any result.
func (c *Client) Settle(ctx context.Context) error {
	query := &meilisearch.TasksQuery{
		Statuses: []meilisearch.TaskStatus{meilisearch.TaskStatusEnqueued, meilisearch.TaskStatusProcessing},
		Limit:    1,
	}
	for _, settings := range document.Indexes {
		query.IndexUIDS = append(query.IndexUIDS, c.Name(settings.Name))
	}
	return c.poll(ctx, query, "the open tasks", func(open []meilisearch.Task) (int, error) { return len(open), nil })
}

func (c *Client) wait(ctx context.Context, tasks []int64) error {
	query := &meilisearch.TasksQuery{UIDS: tasks, Limit: int64(len(tasks))}
	return c.poll(ctx, query, fmt.Sprintf("%d tasks", len(tasks)), func(answer []meilisearch.Task) (int, error) {
		return unfinished(answer, tasks)
	})
}

// poll reads tasks until count reports none open or an error. what names them in errors.
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
