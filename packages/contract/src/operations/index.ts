import type { Static, TOptional, TProperties, TSchema } from '@sinclair/typebox';
import { avatarOperations } from './avatars.ts';
import { deviceLoginOperations } from './device-logins.ts';
import { factorOperations } from './factors.ts';
import { fileOperations } from './files.ts';
import { hubOperations } from './hubs.ts';
import { itemOperations } from './items.ts';
import { keyOperations } from './keys.ts';
import { notificationOperations } from './notifications.ts';
import type { OperationDeclaration } from './operation.ts';
import { userOperations } from './users.ts';
import { workspaceOperations } from './workspace.ts';

/**
 * The operations of the workspace API: method and path after `WORKSPACE_API_PATH`, then what is sent and returned, and
 * who may call it. Programs that must stay small import only the types below, and name an operation by its text.
 */
export const operations = {
  ...workspaceOperations,
  ...hubOperations,
  ...itemOperations,
  ...fileOperations,
  ...keyOperations,
  ...userOperations,
  ...deviceLoginOperations,
  ...avatarOperations,
  ...factorOperations,
  ...notificationOperations,
} as const satisfies Record<string, OperationDeclaration>;

export type Operations = typeof operations;

/** An operation of the workspace API, such as `GET /hubs/{hubId}`. */
export type Operation = keyof Operations;

/** The names of the parameters in a path, such as `hubId`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The body of a successful response to an operation. */
export type ResponseOf<O extends Operation> = Static<Operations[O]['success']>;

/** One item of a list. */
export type ListItem<O extends Operation> =
  ResponseOf<O> extends { items: (infer Item)[]; next: string | null } ? Item : never;

/** The operations that return lists by page. */
export type ListOperation = { [O in Operation]: ListItem<O> extends never ? never : O }[Operation];

/** The input of an operation: path parameters by name, `query` and `body`. `null` in a query means absent. */
export type RequestTo<O extends Operation> = Readonly<Record<PathParameter<O>, string>> &
  QueryPart<Operations[O]> &
  BodyPart<Operations[O]>;

type QueryPart<D> = D extends { query: infer Query extends TProperties }
  ? [RequiredName<Query>] extends [never]
    ? { query?: OrNull<Query> }
    : { query: OrNull<Query> & { readonly [Name in RequiredName<Query>]: Static<Query[Name]> } }
  : { query?: never };

type RequiredName<Query extends TProperties> = {
  [Name in keyof Query]: Query[Name] extends TOptional<TSchema> ? never : Name;
}[keyof Query];

type OrNull<Query extends TProperties> = { readonly [Name in keyof Query]?: Static<Query[Name]> | null | undefined };

type BodyPart<D> = D extends { body: infer Body extends TSchema }
  ? Body extends TOptional<TSchema>
    ? { body?: Static<Body> }
    : { body: Static<Body> }
  : { body?: never };
