import * as wire from '../index.ts';
import { file, filter, type OperationDeclaration, page } from './operation.ts';

const version = filter('The version of the avatar. With it, browsers cache the image permanently.');
const avatarOperation = {
  access: 'member',
  query: { v: version },
  success: file('image/*'),
  errors: [404],
} as const satisfies Partial<OperationDeclaration>;
const set = {
  description:
    'A still PNG, JPEG or WebP image of at most 256 KiB and 1024 × 1024 pixels as the body. The type is detected from its bytes. The file is stored unchanged, including its metadata.',
  body: file('image/*'),
  mediaTypes: wire.AVATAR_TYPES,
  maxBytes: wire.LIMITS.avatarBytes,
  success: wire.AvatarRef,
} as const satisfies Partial<OperationDeclaration>;
const removed = {
  noun: 'removing an avatar',
  success: wire.AvatarRef,
  errors: [404],
} as const satisfies Partial<OperationDeclaration>;

export const avatarOperations = {
  'GET /avatars': {
    id: 'listAvatars',
    summary: 'List avatars',
    description:
      'Avatars of the caller, of users who share a Hub with the caller, and of the bot; for admins of all users. Users who are not listed have no avatar and are shown with initials.',
    access: 'member',
    query: page,
    success: wire.Page(wire.AvatarRef),
  },
  'GET /users/{userId}/avatar': { ...avatarOperation, id: 'showAvatar', summary: "Show a user's avatar" },
  'PUT /me/avatar': { ...set, id: 'setAvatar', summary: 'Set your avatar', access: 'user' },
  'DELETE /me/avatar': { ...removed, id: 'removeAvatar', summary: 'Remove your avatar', access: 'user' },
  'GET /workspace/bot-avatar': { ...avatarOperation, id: 'showBotAvatar', summary: 'Show the avatar of the bot' },
  'PUT /workspace/bot-avatar': { ...set, id: 'setBotAvatar', summary: 'Set the avatar of the bot' },
  'DELETE /workspace/bot-avatar': { ...removed, id: 'removeBotAvatar', summary: 'Remove the avatar of the bot' },
} as const satisfies Record<string, OperationDeclaration>;
