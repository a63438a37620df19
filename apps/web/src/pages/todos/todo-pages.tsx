import type { Hub, Todo, WriteTodoBody } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { bySeq } from '../../data/items/item.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { useMarkAsRead } from '../../data/live/use-mark-as-read.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { countOf } from '../../lib/count-text.ts';
import { openItemId, route, withPanel } from '../../lib/router/location.ts';
import { now } from '../../lib/time/format.ts';
import { ListEnd, useIsBusy, useListKeys, useStillRows } from '../../ui/items/item-rows.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import { Page } from '../../ui/page/navigation.tsx';
import { AddMyTodo, AddTodo } from './add-todo.tsx';
import { TodoFilters } from './todo-filters.tsx';
import { groupDone, groupOpen, myTodos, type TodoGroup, TodoLists, type TodoSource } from './todo-lists.ts';
import { type TodoQuery, todoFilters } from './todo-query.ts';
import { TodoRow } from './todo-row.tsx';
import { SelectionBar, useSelection } from './todo-selection.tsx';

export function MyTodosPage() {
  const { me } = useWorkspace();
  const myId = me.value.id;
  const source = useMemo(() => myTodos(myId), [myId]);
  return (
    <Page title="My to-dos">
      <TodosView
        label="My to-dos in all Hubs"
        source={source}
        empty={<EmptyState title="No to-dos assigned to you" text="They appear here from all your Hubs." />}
      />
    </Page>
  );
}

function todosOf(hubId: string): TodoSource {
  return {
    hubId,
    holds: (todo) => todo.hubId === hubId,
    order: bySeq,
    load: async (status, before) => {
      const query = { status, before, limit: 100 };
      const { items, next, seq } = await request('GET /hubs/{hubId}/todos', { hubId, query });
      return { items, next, asOf: () => seq };
    },
  };
}

export function TodosTab({ hub }: { hub: Hub }) {
  const source = useMemo(() => todosOf(hub.id), [hub.id]);
  return (
    <TodosView
      label={`To-dos in ${hub.name}`}
      source={source}
      hubId={hub.id}
      empty={<EmptyState title="No open to-dos" text="Add one above, or convert a message." />}
    />
  );
}

/** How long a checked-off row keeps its position after pointer and focus have left the list. */
const SETTLE_MS = 6_000;
/** How many rows are drawn at first, and added whenever the user scrolls near the end. */
const ROWS = 200;

interface TodosViewProps {
  label: string;
  source: TodoSource;
  /** The Hub that to-dos are added to, and whose members can be chosen as a filter. */
  hubId?: string;
  empty: ComponentChildren;
}

/** To-dos in groups, with filters. A checked-off one keeps its position until pointer and focus leave the list. */
function TodosView({ label, source, hubId, empty }: TodosViewProps) {
  const { items, me } = useWorkspace();
  const lists = useMemo(() => new TodoLists(items, source), [items, source]);
  useEffect(() => () => lists.dispose(), [lists]);
  const [rows, setRows] = useState(ROWS);
  const query = todoFilters.read(route.value.query);
  const text = JSON.stringify(query);
  useEffect(() => {
    lists.settle();
    setRows(ROWS);
  }, [text, lists]);

  const groups = useRef<HTMLDivElement>(null);
  const isBusy = useIsBusy(groups, '[data-todo]');
  const open = lists.open.items.value as readonly Todo[];
  const isOwn = ({ author, key }: Todo) => author.id === me.value.id && key === null;
  const still = useStillRows(open, isBusy && lists.isOpenLoaded.value, isOwn);
  const selection = useSelection(`${label} ${text}`);
  const view = visibleGroups(lists, still.items, query, me.value.id);
  const { list, current, props } = useListKeys({
    label,
    attribute: 'data-todo',
    onEnd: () => setRows(rows + ROWS),
    select: selection.toggle,
    toggle: (id) => list.current?.querySelector<HTMLElement>(`[data-todo="${CSS.escape(id)}"] .check`)?.click(),
  });
  useSettling(lists, view.moved, isBusy);
  const isNew = useMarkAsRead({
    hubId,
    kind: 'todo',
    // Filters may hide new to-dos.
    isShown: view.isLoaded && still.waiting === 0 && query.show !== 'done' && !isFiltered(query),
  });
  const cut = firstRows(view.groups, rows);
  const total = view.groups.reduce((sum, { todos }) => sum + todos.length, 0);
  return (
    <div class="scroll" {...props}>
      <TodoFilters
        query={query}
        hubId={hubId}
        isSelecting={selection.isOn}
        onSelect={selection.isOn ? selection.clear : selection.start}
      />
      {hubId === undefined ? (
        <AddMyTodo fields={fieldsFor(query, me.value.id)} />
      ) : (
        <AddTodo hubId={hubId} fields={fieldsFor(query, me.value.id)} />
      )}
      {view.failed && <ErrorNotice text={view.failed.text} onRetry={() => void view.failed?.list.reload()} />}
      <div class="to-top is-sticky" role="status">
        {still.waiting > 0 && (
          <button class="pill is-new" type="button" onClick={still.release}>
            {still.waiting} new
          </button>
        )}
      </div>
      <div class="todo-groups" ref={groups} {...selection.rows}>
        {cut.groups.map((group) => (
          <Group
            key={group.key}
            group={group}
            stop={current !== null && cut.ids.has(current) ? current : (cut.groups[0]?.todos[0]?.id ?? null)}
            isAcrossHubs={hubId === undefined}
            isNew={isNew}
            selection={selection.isOn ? selection.ids : null}
          />
        ))}
      </div>
      <p class="sr" role="status">
        {view.isLoaded && isFiltered(query) && countOf(total, 'to-do')}
      </p>
      {!view.isLoaded && !view.failed && <Loading what="Loading to-dos" />}
      {view.isLoaded && view.groups.length === 0 && <Empty query={query} text={empty} />}
      <ListEnd
        state={cut.isCut || view.lists.some(({ hasOlder }) => hasOlder.value) ? `${rows} ${total}` : null}
        onNear={() => {
          if (cut.isCut) setRows(rows + ROWS);
          else for (const each of view.lists) if (each.hasOlder.peek()) void each.loadOlder();
        }}
      />
      {selection.isOn && (
        <SelectionBar
          todos={view.groups.flatMap(({ todos }) => todos.filter(({ id }) => selection.ids.has(id)))}
          onClear={selection.clear}
        />
      )}
    </div>
  );
}

function visibleGroups(lists: TodoLists, all: readonly Todo[], query: TodoQuery, myId: string) {
  const { show, sort } = query;
  const fits = (todo: Todo) => matchesQuery(todo, query, myId);
  const open = show === 'done' ? [] : all.filter(fits);
  const done = show === 'open' ? [] : (lists.done.items.value as readonly Todo[]).filter(fits);
  const nowMs = now.value;
  const used = [...(show === 'done' ? [] : [lists.open]), ...(show === 'open' ? [] : [lists.done])];
  const isOpenReady = show === 'done' || lists.isOpenLoaded.value;
  const isDoneReady = show === 'open' || lists.isDoneLoaded.value;
  return {
    // A partly loaded list would grow in the middle while the user reads.
    groups: [
      ...(isOpenReady ? groupOpen(open, sort, nowMs) : []),
      ...(isOpenReady && isDoneReady ? groupDone(done, nowMs) : []),
    ],
    /** To-dos that keep their position although their status has changed. */
    moved: [...open.filter(({ status }) => status === 'done'), ...done.filter(({ status }) => status === 'open')],
    lists: used,
    isLoaded: isOpenReady && isDoneReady,
    failed: used.map(errorOf).find((error) => error !== null),
  };
}

function errorOf(list: ItemList): { list: ItemList; text: string } | null {
  for (const state of [list.state.value, list.older.value]) {
    if (state.status === 'failed') return { list, text: state.text };
  }
  return null;
}

function matchesQuery(todo: Todo, { assignee, priority }: TodoQuery, myId: string): boolean {
  if (priority !== null && todo.priority !== priority) return false;
  if (assignee === null) return true;
  if (assignee === 'none') return todo.assignee === null;
  return todo.assignee?.id === (assignee === 'me' ? myId : assignee);
}

function isFiltered({ assignee, priority }: TodoQuery): boolean {
  return assignee !== null || priority !== null;
}

function fieldsFor({ assignee, priority }: TodoQuery, myId: string): Pick<WriteTodoBody, 'assigneeId' | 'priority'> {
  return {
    ...(assignee === null || assignee === 'none' ? {} : { assigneeId: assignee === 'me' ? myId : assignee }),
    ...(priority === null ? {} : { priority }),
  };
}

function firstRows(groups: readonly TodoGroup[], max: number) {
  let room = max;
  const first: TodoGroup[] = [];
  for (const group of groups) {
    if (room <= 0) break;
    first.push({ ...group, todos: group.todos.slice(0, room) });
    room -= group.todos.length;
  }
  const ids = new Set(first.flatMap(({ todos }) => todos.map(({ id }) => id)));
  return { groups: first, ids, isCut: room < 0 };
}

/** Moves changed to-dos to their groups once pointer and focus have left the list. */
function useSettling(lists: TodoLists, moved: readonly Todo[], isBusy: boolean): void {
  const ids = moved.map(({ id }) => id).join();
  useEffect(() => {
    if (ids === '' || isBusy) return;
    const timer = setTimeout(() => lists.settle(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [lists, ids, isBusy]);
}

interface GroupProps {
  group: TodoGroup;
  stop: string | null;
  isAcrossHubs: boolean;
  isNew: (todo: Todo) => boolean;
  /** The selected ones; `null` unless some are being selected. */
  selection: ReadonlySet<string> | null;
}

/** Shown instead of a zero count while completed or reopened to-dos still keep their position. */
const ALL_MOVED: Record<Todo['status'], string> = { done: 'all done', open: 'reopened' };

function Group({ group: { title, isLate, count, todos }, stop, isAcrossHubs, isNew, selection }: GroupProps) {
  const { hubs } = useWorkspace();
  const open = openItemId.value;
  const closed = withPanel(null);
  const link = `${closed}${closed.includes('?') ? '&' : '?'}open=`;
  return (
    <section class="todo-group">
      <h2 class={isLate && count > 0 ? 'group is-late' : 'group'}>
        {title} <span class="num">{count > 0 ? count : ALL_MOVED[todos[0]?.status ?? 'open']}</span>
      </h2>
      <ul>
        {todos.map((todo) => (
          <TodoRow
            key={todo.id}
            id={todo.id}
            href={link + todo.id}
            isCurrent={todo.id === open}
            isTabStop={todo.id === stop}
            isNew={isNew(todo)}
            isSelected={selection?.has(todo.id) ?? null}
            hubName={isAcrossHubs ? (hubs.find(todo.hubId)?.name ?? '') : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

function Empty({ query, text }: { query: TodoQuery; text: ComponentChildren }) {
  if (isFiltered(query)) return <EmptyState title="No matching to-dos" />;
  return query.show === 'done' ? <EmptyState title="No completed to-dos yet" /> : text;
}
