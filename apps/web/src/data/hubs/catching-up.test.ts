import { expect, test } from 'bun:test';
import type { EventFrame } from '@hub/contract';
import { CatchingUp } from './catching-up.ts';

const event = (hubId: string, name: string) => ({ type: 'event', hubId, seq: 1, event: name }) as EventFrame;

test('counts the missed posts of all Hubs and reports them once', () => {
  const reported: number[] = [];
  const catching = new CatchingUp((posts) => reported.push(posts));
  catching.begin(['a', 'b']);
  catching.take(event('a', 'message.created'));
  catching.take(event('a', 'message.changed'));
  catching.take(event('b', 'todo.created'));
  catching.done('a');
  catching.take(event('a', 'note.created'));
  expect(reported).toEqual([]);
  catching.done('b');
  catching.done('b');
  expect(reported).toEqual([2]);
});

test('reports nothing when the connection is lost again, and restarts the count with the next connection', () => {
  const reported: number[] = [];
  const catching = new CatchingUp((posts) => reported.push(posts));
  catching.begin(['a']);
  catching.take(event('a', 'message.created'));
  catching.stop();
  catching.done('a');
  catching.begin(['a']);
  catching.done('a');
  expect(reported).toEqual([0]);
});

test('reports 0 for a user without Hubs', () => {
  const reported: number[] = [];
  new CatchingUp((posts) => reported.push(posts)).begin([]);
  expect(reported).toEqual([0]);
});
