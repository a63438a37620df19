import { type Static, type TOptional, type TSchema, Type } from '@sinclair/typebox';
import * as wire from './index.ts';

interface Endpoint {
  query?: TSchema;
  /** An optional schema if the body may be left out. */
  body?: TSchema;
  /** The body of a successful response. */
  response: TSchema;
}

const { HubPage, Page } = wire;

const text = Type.Optional(Type.String());
const count = Type.Optional(Type.Integer());
const oneOf = <Word extends string>(...words: readonly Word[]) =>
  Type.Optional(Type.Unsafe<Word>(Type.Union(words.map((word) => Type.Literal(word)))));

const page = { limit: count, before: text };
const bothWays = { ...page, after: text };
const byOrigin = { ...bothWays, keyId: text, authorId: text };
const ofTodos = { ...byOrigin, status: oneOf(...wire.TODO_STATUSES), assigneeId: text };
const paged = Type.Object(page);

/** A body or response that is not JSON. */
const file = (mediaType: string) => Type.Unsafe<Blob>({ contentMediaType: mediaType });
const image = file('image/*');

/**
 * The operations of the workspace API: method and path after `WORKSPACE_API_PATH`, then what is sent and returned. Query
 * parameters have their types only; `/api/openapi.json` has their limits, and says who may call what. Programs that
 * must stay small import only the types below, and name an operation by its text.
 */
export const endpoints = {
  'GET /': { response: wire.ServerInfo },
  'GET /status': { response: wire.ServerStatus },
  'POST /backups': { body: Type.Optional(wire.TakeBackupBody), response: file('application/vnd.sqlite3') },
  'POST /backups/{backupId}/confirmation': { response: wire.Backup },

  'GET /hubs': {
    query: Type.Object({
      ...page,
      state: oneOf('live', 'deleted', 'all'),
      membership: oneOf('mine'),
      include: oneOf('counts'),
    }),
    response: Page(wire.Hub),
  },
  'POST /hubs': { body: wire.CreateHubBody, response: wire.Hub },
  'GET /hubs/{hubId}': { response: wire.Hub },
  'PATCH /hubs/{hubId}': { body: wire.ChangeHubBody, response: wire.Hub },
  'DELETE /hubs/{hubId}': { response: wire.Hub },
  'POST /hubs/{hubId}/restoration': { response: wire.Hub },
  'GET /hubs/{hubId}/counts': { response: wire.HubCounts },
  'GET /hubs/{hubId}/retention-preview': {
    query: Type.Object({ retentionDays: Type.Integer() }),
    response: wire.RetentionPreview,
  },
  'PUT /hubs/{hubId}/read': { body: wire.MarkReadBody, response: wire.ReadMark },
  'GET /hubs/{hubId}/export': { response: wire.HubExport },
  'GET /hubs/{hubId}/members': { query: paged, response: Page(wire.Member) },
  'POST /hubs/{hubId}/members': { body: wire.AddMemberBody, response: wire.Member },
  'DELETE /hubs/{hubId}/members/{userId}': { response: wire.Member },

  'GET /hubs/{hubId}/messages': { query: Type.Object(byOrigin), response: HubPage(wire.Message) },
  'POST /hubs/{hubId}/messages': { body: wire.WriteMessageBody, response: wire.Message },
  'PATCH /messages/{messageId}': { body: wire.ChangeMessageBody, response: wire.Message },
  'DELETE /messages/{messageId}': { response: wire.Message },
  'GET /messages/{messageId}/replies': { query: Type.Object(bothWays), response: HubPage(wire.Message) },
  'POST /messages/{messageId}/replies': { body: wire.WriteMessageBody, response: wire.Message },
  'PUT /messages/{messageId}/replies/read': { body: wire.ReadThreadBody, response: wire.UnreadMentions },
  'POST /messages/{messageId}/conversion': { body: wire.ConvertMessageBody, response: wire.Item },
  'PUT /messages/{messageId}/reactions/{emoji}': { response: wire.Message },
  'DELETE /messages/{messageId}/reactions/{emoji}': { response: wire.Message },
  'GET /hubs/{hubId}/notes': { query: Type.Object(byOrigin), response: HubPage(wire.Note) },
  'POST /hubs/{hubId}/notes': { body: wire.WriteNoteBody, response: wire.Note },
  'PATCH /notes/{noteId}': { body: wire.ChangeNoteBody, response: wire.Note },
  'DELETE /notes/{noteId}': { response: wire.Note },
  'GET /hubs/{hubId}/todos': { query: Type.Object(ofTodos), response: HubPage(wire.Todo) },
  'POST /hubs/{hubId}/todos': { body: wire.WriteTodoBody, response: wire.Todo },
  'GET /todos': { query: Type.Object({ ...ofTodos, hubId: text }), response: wire.StreamPage },
  'PATCH /todos/{todoId}': { body: wire.ChangeTodoBody, response: wire.Todo },
  'DELETE /todos/{todoId}': { response: wire.Todo },
  'GET /items/{itemId}': { response: wire.Item },
  'POST /items/{itemId}/restoration': { response: wire.Item },
  'GET /hubs/{hubId}/deleted-items': { query: paged, response: Page(wire.Item) },
  'GET /items/{itemId}/origin': { response: wire.ItemOrigin },
  'GET /stream': {
    query: Type.Object({
      ...byOrigin,
      hubId: text,
      kind: oneOf(...wire.ITEM_KINDS),
      unread: oneOf('true', 'false'),
    }),
    response: wire.StreamPage,
  },
  'GET /mentions': { query: paged, response: wire.MentionPage },
  'PUT /mentions/read': { body: wire.ReadMentionsBody, response: wire.UnreadMentions },
  'GET /search': {
    query: Type.Object({
      ...page,
      q: Type.String(),
      hubId: text,
      kind: oneOf(...wire.ITEM_KINDS),
      keyId: text,
      authorId: text,
      status: oneOf(...wire.TODO_STATUSES),
      from: text,
      to: text,
    }),
    response: Page(wire.Item),
  },

  'GET /keys': {
    query: Type.Object({ ...page, hubId: text, state: oneOf(...wire.KEY_STATES), usageDays: count, sha256: text }),
    response: Page(wire.ApiKey),
  },
  'POST /keys': { body: wire.IssueKeyBody, response: wire.IssuedKey },
  'GET /keys/{keyId}': { response: wire.ApiKey },
  'GET /keys/{keyId}/usage': { query: Type.Object({ days: count }), response: wire.KeyUsageByDay },
  'GET /keys/{keyId}/addresses': { response: wire.KeyAddresses },
  'POST /keys/{keyId}/rotation': { body: Type.Optional(wire.RotateKeyBody), response: wire.IssuedKey },
  'POST /keys/{keyId}/replacement': { body: Type.Optional(wire.RotateKeyBody), response: wire.IssuedKey },
  'POST /keys/{keyId}/revocation': { response: wire.ApiKey },
  'GET /keys/{keyId}/removals': { query: paged, response: Page(wire.Removal) },
  'POST /keys/{keyId}/removals': { body: Type.Optional(wire.RemovePostsBody), response: wire.Removal },
  'DELETE /keys/{keyId}/removals/{removalId}': { response: wire.Removal },

  'GET /session': { response: wire.SignedIn },
  'POST /session': { body: wire.SignInBody, response: wire.Me },
  'DELETE /session': { response: wire.Session },
  'POST /session/confirmation': { body: wire.ConfirmSessionBody, response: wire.SessionConfirmation },
  'GET /me': { response: wire.Me },
  'PATCH /me': { body: wire.ChangeMeBody, response: wire.Me },
  'PUT /me/password': { body: wire.ChangePasswordBody, response: wire.Me },
  'GET /me/sessions': { query: paged, response: Page(wire.Session) },
  'DELETE /me/sessions/{sessionId}': { response: wire.Session },
  'GET /me/tokens': { query: paged, response: Page(wire.PersonalToken) },
  'POST /me/tokens': { body: wire.CreatePersonalTokenBody, response: wire.IssuedPersonalToken },
  'DELETE /me/tokens/{tokenId}': { response: wire.PersonalToken },

  'GET /avatars': { query: paged, response: Page(wire.AvatarRef) },
  'GET /users/{userId}/avatar': { query: Type.Object({ v: text }), response: image },
  'PUT /me/avatar': { body: image, response: wire.AvatarRef },
  'DELETE /me/avatar': { response: wire.AvatarRef },
  'GET /workspace/bot-avatar': { query: Type.Object({ v: text }), response: image },
  'PUT /workspace/bot-avatar': { body: image, response: wire.AvatarRef },
  'DELETE /workspace/bot-avatar': { response: wire.AvatarRef },

  'GET /me/notifications': { response: wire.NotificationSettings },
  'PATCH /me/notifications': { body: wire.ChangeNotificationsBody, response: wire.NotificationSettings },
  'PUT /me/notifications/quiet-hours': { body: wire.SetQuietHoursBody, response: wire.NotificationSettings },
  'DELETE /me/notifications/quiet-hours': { response: wire.NotificationSettings },
  'PUT /me/notifications/hubs/{hubId}': { body: wire.SetNotificationModeBody, response: wire.NotificationSettings },
  'GET /me/notifications/keys': { query: paged, response: Page(wire.NotificationKey) },
  'PUT /me/notifications/keys/{keyId}': { body: wire.SetNotificationModeBody, response: wire.NotificationSettings },
  'POST /me/notifications/test': { response: wire.SentTestNotification },
  'POST /me/push-subscriptions': { body: wire.SubscribePushBody, response: wire.PushSubscriptionInfo },
  'DELETE /me/push-subscriptions': { response: wire.PushSubscriptionInfo },

  'GET /users': { query: paged, response: Page(wire.User) },
  'POST /users': { body: wire.CreateUserBody, response: wire.User },
  'GET /users/{userId}': { response: wire.User },
  'PATCH /users/{userId}': { body: wire.ChangeUserBody, response: wire.User },
  'GET /users/{userId}/holdings': { response: wire.Holdings },
  'POST /users/{userId}/deactivation': { response: wire.User },
  'POST /users/{userId}/reactivation': { response: wire.User },
  'POST /users/{userId}/sign-out': { response: wire.User },
  'POST /users/{userId}/password-reset': { response: wire.IssuedLink },
  'GET /invitations': { query: paged, response: Page(wire.Invitation) },
  'POST /invitations': { body: wire.CreateInvitationBody, response: wire.IssuedInvitation },
  'DELETE /invitations/{invitationId}': { response: wire.Invitation },
  'POST /setup-link': { response: wire.IssuedLink },
  'POST /links/inspection': { body: wire.InspectLinkBody, response: wire.LinkInfo },
  'POST /links/redemption': { body: wire.RedeemLinkBody, response: wire.Me },

  'GET /workspace': { response: wire.Workspace },
  'PATCH /workspace': { body: wire.ChangeWorkspaceBody, response: wire.Workspace },
  'GET /audit': {
    query: Type.Object({
      ...page,
      hubId: text,
      targetId: text,
      actorKind: oneOf(...wire.ACTOR_KINDS),
      actorId: text,
      action: text,
      from: text,
      to: text,
    }),
    response: Page(wire.AuditEntry),
  },
} satisfies Record<string, Endpoint>;

type Endpoints = typeof endpoints;

/** An operation of the workspace API, such as `GET /hubs/{hubId}`. */
export type Operation = keyof Endpoints;

/** The names of the parameters in a path, such as `hubId`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The body of a successful response to an operation. */
export type ResponseOf<O extends Operation> = Static<Endpoints[O]['response']>;

/** One item of a list. */
export type ListItem<O extends Operation> =
  ResponseOf<O> extends { items: (infer Item)[]; next: string | null } ? Item : never;

/** The operations that return lists by page. */
export type ListOperation = { [O in Operation]: ListItem<O> extends never ? never : O }[Operation];

/** The input of an operation: path parameters by name, `query` and `body`. `null` in a query means absent. */
export type RequestTo<O extends Operation> = Readonly<Record<PathParameter<O>, string>> &
  QueryPart<Endpoints[O]> &
  BodyPart<Endpoints[O]>;

type QueryPart<E> = E extends { query: infer Query extends TSchema }
  ? Partial<Static<Query>> extends Static<Query>
    ? { query?: OrNull<Static<Query>> }
    : { query: OrNull<Static<Query>> }
  : { query?: never };

type OrNull<Query> = { readonly [Name in keyof Query]: Query[Name] | null | undefined };

type BodyPart<E> = E extends { body: infer Body extends TSchema }
  ? Body extends TOptional<TSchema>
    ? { body?: Static<Body> }
    : { body: Static<Body> }
  : { body?: never };
