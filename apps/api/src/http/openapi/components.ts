import * as contract from '@hub/contract';
import { ListItemObject } from '@hub/contract/blocks/data-schemas';
import { errors } from './errors.ts';
import { securitySchemes } from './security.ts';

/** The schemas that the OpenAPI document refers to instead of repeating them. */
const schemas = {
  Error: contract.ErrorBody,

  // The public API
  CreateMessage: contract.CreateMessageBody,
  CreateNote: contract.CreateNoteBody,
  CreateTodo: contract.CreateTodoBody,
  Priority: contract.PrioritySchema,
  Block: contract.BlockSchema,
  ListItem: ListItemObject,

  // Items
  Item: contract.Item,
  Message: contract.Message,
  Note: contract.Note,
  Todo: contract.Todo,
  Author: contract.Message.properties.author,
  Question: contract.Question,
  AskedQuestion: contract.AskedQuestion,
  Reaction: contract.Reaction,
  TodoStatus: contract.Todo.properties.status,
  MessagePage: contract.HubPage(contract.Message),
  NotePage: contract.HubPage(contract.Note),
  TodoPage: contract.HubPage(contract.Todo),
  StreamPage: contract.StreamPage,
  ItemOrigin: contract.ItemOrigin,
  WriteMessage: contract.WriteMessageBody,
  WriteReply: contract.WriteReplyBody,
  ChangeMessage: contract.ChangeMessageBody,
  ConvertMessage: contract.ConvertMessageBody,
  ChangeNote: contract.ChangeNoteBody,
  WriteTodo: contract.WriteTodoBody,
  ChangeTodo: contract.ChangeTodoBody,

  // Hubs
  Hub: contract.Hub,
  CreateHub: contract.CreateHubBody,
  ChangeHub: contract.ChangeHubBody,
  MarkRead: contract.MarkReadBody,
  ReadMark: contract.ReadMark,
  Member: contract.Member,
  AddMember: contract.AddMemberBody,
  HubExport: contract.HubExport,
  RetentionPreview: contract.RetentionPreview,

  // Keys
  ApiKey: contract.ApiKey,
  Scope: contract.ScopeSchema,
  KeyState: contract.ApiKey.properties.state,
  KeyDay: contract.KeyDay,
  KeyAddresses: contract.KeyAddresses,
  KeyUsage: contract.KeyUsageByDay,
  IssuedKey: contract.IssuedKey,
  IssueKey: contract.IssueKeyBody,
  RotateKey: contract.RotateKeyBody,
  Removal: contract.Removal,
  RemovePosts: contract.RemovePostsBody,

  // Users
  User: contract.User,
  UserRef: contract.UserRef,
  Responsibility: contract.Responsibility,
  AvatarRef: contract.AvatarRef,
  Role: contract.User.properties.role,
  CreateUser: contract.CreateUserBody,
  ChangeUser: contract.ChangeUserBody,
  Invitation: contract.Invitation,
  IssuedInvitation: contract.IssuedInvitation,
  CreateInvitation: contract.CreateInvitationBody,
  IssuedLink: contract.IssuedLink,
  LinkInfo: contract.LinkInfo,
  InspectLink: contract.InspectLinkBody,
  RedeemLink: contract.RedeemLinkBody,

  // Signing in
  SignIn: contract.SignInBody,
  Me: contract.Me,
  ChangeMe: contract.ChangeMeBody,
  ChangePassword: contract.ChangePasswordBody,
  Session: contract.Session,
  PersonalToken: contract.PersonalToken,
  IssuedPersonalToken: contract.IssuedPersonalToken,
  CreatePersonalToken: contract.CreatePersonalTokenBody,

  // Notifications
  NotificationSettings: contract.NotificationSettings,
  QuietHours: contract.QuietHours,
  ChangeNotificationSettings: contract.ChangeNotificationsBody,
  SetQuietHours: contract.SetQuietHoursBody,
  SetNotificationMode: contract.SetNotificationModeBody,
  SentTestNotification: contract.SentTestNotification,
  SubscribePush: contract.SubscribePushBody,
  PushSubscription: contract.PushSubscriptionInfo,

  // The workspace
  Workspace: contract.Workspace,
  ChangeWorkspace: contract.ChangeWorkspaceBody,
  Actor: contract.Actor,
  AuditEntry: contract.AuditEntry,
  ServerInfo: contract.ServerInfo,
  ServerStatus: contract.ServerStatus,
  Backup: contract.Backup,
};

/** The named components of the OpenAPI document. */
export const components = {
  schemas,
  responses: errors,
  headers: {
    RequestId: {
      description: 'Identifies this request in the server log. Give it to your admin when you report a problem.',
      required: true,
      schema: { type: 'string', examples: ['req_01KA3T8Q6V5M0G7ZB4W2N9RXEC'] },
    },
    RateLimitPolicy: {
      description: 'The limit of the key: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
      required: true,
      schema: {
        type: 'string',
        const: `"default";q=${contract.RATE_LIMIT.requests};w=${contract.RATE_LIMIT.windowSeconds}`,
      },
    },
    RateLimit: {
      description: '`r` requests are left; the oldest counted request leaves the window in `t` seconds.',
      required: true,
      schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=59;t=60'] },
    },
    RetryAfter: {
      description: 'Whole seconds until the block of the key ends. Present only while the key is blocked.',
      schema: { type: 'integer', minimum: 1, maximum: contract.RATE_LIMIT.blockSeconds, examples: [247] },
    },
    WwwAuthenticate: {
      description: 'How to authenticate.',
      required: true,
      schema: { type: 'string', const: 'Bearer' },
    },
    Allow: {
      description: 'The methods that the path accepts.',
      required: true,
      schema: { type: 'string', examples: ['POST'] },
    },
    Upgrade: {
      description: 'The protocol to upgrade to.',
      required: true,
      schema: { type: 'string', const: 'websocket' },
    },
    SetCookie: {
      description:
        'The session cookie, `HttpOnly` and `SameSite=Lax`; with `Max-Age=0` when the session has ended. Not set when the ended session is not the session of the request.',
      schema: { type: 'string', examples: ['hub_session=hub_ses_…; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax'] },
    },
  },
  securitySchemes,
};
