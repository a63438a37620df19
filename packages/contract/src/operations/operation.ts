import { type TOptional, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ID_PATTERN } from '../ids.ts';
import { Reaction } from '../items.ts';
import { LIMITS } from '../limits.ts';
import { DATE_TIME_PATTERN, Id } from '../schema-parts.ts';

/**
 * The access rule of an operation. `member`: every user, and the local admin; the use case decides what they can see
 * or do. `user`: every user, but not the local admin, who has no account. `session`: a signed-in user, since a token
 * must not change the password or manage sessions and other tokens. `owner`: owners and the local admin, for operations that expose
 * the content of every Hub.
 */
export type Access = 'anyone' | 'member' | 'user' | 'session' | 'admin' | 'owner';

/**
 * How requests take turns, so that nobody can use the server alone. `shared`: a few at a time, and the users in turn.
 * `own`: a few at a time for each user.
 */
export type Turn = 'shared' | 'own';

/** The statuses of the errors that the OpenAPI document describes. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 416 | 426 | 429 | 500 | 503;

/**
 * The declaration of an operation of the workspace API, under its method and path after `WORKSPACE_API_PATH`. The route,
 * its checks, the OpenAPI document and the types of callers all follow from it.
 */
export interface OperationDeclaration {
  /** The `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Admins by default. */
  readonly access?: Access;
  /**
   * For what lets someone in: in a session, the password must have been entered within 15 minutes. `always`: it is
   * checked before anything else. Any other text says when the use case checks it (`requireConfirmed`).
   */
  readonly confirmation?: 'always' | `for ${string}`;
  /** Whether a user may do this in a session while a second factor is overdue. */
  readonly needsNoFactor?: true;
  /** The query parameters. Without this property, the query is ignored. */
  readonly query?: TProperties;
  /** The body; `Type.Optional` if it can be left out. */
  readonly body?: TSchema;
  /**
   * Names the body in error messages, such as `a key`. Without `body`, it names the request, which is rejected if it
   * has fields, since the sender expects something that will not happen.
   */
  readonly noun?: string;
  /** The media types of a body that is a file. */
  readonly mediaTypes?: readonly string[];
  /** The maximum size of such a body. */
  readonly maxBytes?: number;
  /** The status of a successful response; 200 by default. */
  readonly status?: 200 | 201;
  /** The body of a successful response. */
  readonly success: TSchema;
  /** For a 201: what a 200 with the same schema means. */
  readonly repeated?: string;
  /** Headers of a successful response, in OpenAPI form, in addition to those that every response has. */
  readonly headers?: object;
  /** Whether the response starts or ends a session. */
  readonly setsCookie?: boolean;
  /**
   * By default, requests for lists wait for their turn among all users, and those that write among the user's own.
   * `null`: they wait for something else for so long that the user's other requests must not wait for them.
   */
  readonly turn?: Turn | null;
  /** Errors in addition to those that follow from the rest of the declaration. */
  readonly errors?: readonly ErrorStatus[];
}

const id = (prefix: string, description: string) => Id(prefix, { description });

/** The parameters in paths. An operation that finds nothing by an id responds with 404, whatever its format. */
export const PATH_PARAMETERS: Readonly<Record<string, TSchema>> = {
  backupId: id('bak', 'The id from the `Hub-Backup-Id` header of the backup.'),
  fileId: id('file', 'The id of the file.'),
  emoji: { ...Reaction.properties.emoji, description: 'One emoji, percent-encoded.' },
  factorId: id('fac', 'The id of the second factor.'),
  hubId: id('hub', 'The id of the Hub.'),
  invitationId: id('lnk', 'The id of the invitation.'),
  itemId: id('msg', 'The id of the message, note or to-do.'),
  keyId: id('key', 'The id of the key (not its secret).'),
  messageId: id('msg', 'The id of the message, which may be a reply.'),
  noteId: id('note', 'The id of the note.'),
  removalId: id('rmv', 'The id of the removal.'),
  sessionId: id('ses', 'The id of the session.'),
  todoId: id('todo', 'The id of the to-do.'),
  tokenId: id('pat', 'The id of the token, not the token itself.'),
  userId: id('usr', 'The id of the user.'),
};

/** Query parameters with text: not empty, and without NUL characters. */
export const filter = (description: string) =>
  Type.Optional(Type.String({ description, minLength: 1, pattern: '^[^\\u0000]*$' }));

/** A query parameter with a few allowed values. */
export const choice = <const Word extends string>(description: string, words: readonly Word[]) =>
  Type.Optional(
    Type.Unsafe<Word>(
      Type.Union(
        words.map((word) => Type.Literal(word)),
        { description },
      ),
    ),
  );

/** A query parameter with a whole number from 1 to `maximum`. */
export const count = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ description, minimum: 1, maximum }));

/** A query parameter with a date and time. */
export const instant = (description: string) =>
  Type.Optional(Type.String({ description, format: 'date-time', pattern: DATE_TIME_PATTERN }));

type Defaulted<T extends TSchema> = TOptional<T> & { default: T['static'] };

/** Adds the value of a parameter that is left out. */
export const withDefault = <T extends TSchema>(schema: TOptional<T>, value: T['static']) =>
  ({ ...schema, default: value }) as Defaulted<T>;

/** A parameter whose format has its own error message: `name` and `rule`. */
export const patterned = (description: string, pattern: string, rule: string) =>
  Type.Optional(Type.String({ description, pattern, rule }));

/** The parameters of every list. */
export const page = {
  limit: withDefault(count('The maximum number of items per page.', LIMITS.pageItems), 50),
  before: patterned(
    'Returns only items older than this: the `next` of the previous page.',
    ID_PATTERN,
    'must be the value of next from the previous page, unchanged',
  ),
};

/** The parameters of lists that can be paged in both directions. */
export const bothWays = {
  ...page,
  after: patterned(
    'Only items newer than this one, starting with the oldest; pass `next` as `after` to continue.',
    ID_PATTERN,
    'must be the value of next from the previous page, unchanged, or the id of an item',
  ),
};

/** A body or response that is not JSON. OpenAPI 3.1 describes binary content without a type. */
export const file = (mediaType: string) => Type.Unsafe<Blob>({ contentMediaType: mediaType });
