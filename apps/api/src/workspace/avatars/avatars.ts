import { createHash } from 'node:crypto';
import { AVATAR_TYPES, type AvatarRef, LIMITS } from '@hub/contract';
import { type Caller, changeAs, isAdmin, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin } from '../../access/user-rights.ts';
import { encodingProblem, readBody, wrongContentType } from '../../http/read-body.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import type { AvatarRecord } from '../../storage/avatars.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { imageSize, imageType, scaledImage } from '../files/images.ts';

/** Returns a page of the avatars that the caller may see. */
export async function listAvatars({ store }: Deps, caller: Caller, page: PageRequest): Promise<Page<AvatarRef>> {
  const { botId } = await store.workspace.find();
  const read = (rows: PageRequest) => store.avatars.list({ ...rows, viewerId: viewerIdOf(caller) });
  return readPage(page, read, ({ ownerId: id, version }) => ({ id, kind: id === botId ? 'bot' : 'user', version }));
}

/** Returns the avatar of a user or the bot, or throws `not_found`, which does not reveal whether the user exists. */
export async function findAvatar({ store }: Deps, caller: Caller, ownerId: string): Promise<AvatarRecord> {
  const avatar = await store.avatars.find({ ownerId, viewerId: viewerIdOf(caller) });
  if (!avatar) throw new AppError('not_found', `There is no avatar for ${printable(ownerId || 'that')}.`);
  return avatar;
}

/** Returns the viewer id for the store; null for admins, who see all. */
function viewerIdOf(caller: Caller): string | null {
  return isAdmin(caller) ? null : (caller.user?.id ?? null);
}

type Kind = AvatarRef['kind'];

/** Sets the avatar of the caller or, by an admin, of the bot. Setting the same image again changes nothing. */
export function setAvatar(deps: Deps, caller: Caller, kind: Kind, bytes: Uint8Array): Promise<AvatarRef> {
  const version = versionOf(bytes);
  return changeAs(deps, caller, async (tx, current) => {
    const owner = await changeableOwner(tx, current, kind);
    const former = await tx.avatars.findVersion(owner.id);
    if (former !== version) {
      await tx.avatars.set({ ownerId: owner.id, version, type: 'image/webp', bytes });
      await reportChange(deps, tx, { caller: current, owner, version });
    }
    return { id: owner.id, kind, version };
  });
}

/** Removes the avatar of the caller or, by an admin, of the bot. */
export function removeAvatar(deps: Deps, caller: Caller, kind: Kind): Promise<AvatarRef> {
  return changeAs(deps, caller, async (tx, current) => {
    const owner = await changeableOwner(tx, current, kind);
    const version = await tx.avatars.findVersion(owner.id);
    if (version === null) throw new AppError('not_found', 'There is no avatar to remove.');
    await tx.avatars.delete(owner.id);
    await reportChange(deps, tx, { caller: current, owner, version: null });
    return { id: owner.id, kind, version };
  });
}

interface Owner {
  id: string;
  kind: Kind;
  name: string;
}

async function changeableOwner(tx: Repositories, caller: Caller, kind: Kind): Promise<Owner> {
  if (kind === 'bot') {
    requireAdmin(caller);
    const { botId, botName } = await tx.workspace.find();
    return { id: botId, kind, name: botName };
  }
  if (caller.user === null) throw new Error('The local admin has no account, and so no avatar');
  return { id: caller.user.id, kind, name: caller.user.name };
}

async function reportChange(
  deps: Deps,
  tx: Repositories,
  { caller, owner, version }: { caller: Caller; owner: Owner; version: string | null },
): Promise<void> {
  const { at } = await recordAction(tx, deps, caller, {
    action: owner.kind === 'bot' ? 'workspace.changed' : 'user.changed',
    target: owner,
    details: { to: { avatar: version } },
  });
  if (owner.kind === 'user') await reportMember(tx, owner, at);
}

/** Writes an event with a user's current name and avatar version to each of their Hubs. */
export async function reportMember(
  tx: Pick<Repositories, 'avatars' | 'events' | 'memberships'>,
  { id, name }: { id: string; name: string },
  at: number,
): Promise<void> {
  const data = { id, name, avatarVersion: await tx.avatars.findVersion(id) };
  for (const hubId of await tx.memberships.listHubIds(id)) {
    await tx.events.append({ hubId, at, event: 'member.changed', itemId: null, data });
  }
}

/** Returns the first 16 hex digits of the SHA-256 of the bytes, which identify the image. */
function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Width and height of a stored avatar, in pixels: twice the largest one that is shown. */
const SIDE = 256;
const QUALITY = 90;

const AS_IMAGE = 'Send a PNG, JPEG or WebP image as image/png, image/jpeg or image/webp.';
const isAvatarType = (type: string | null): boolean => (AVATAR_TYPES as readonly (string | null)[]).includes(type);

/** Reads an image of at most 256 KiB as a small WebP image without metadata. Checks, in this order: 413, 415, 400. */
export async function readAvatar(request: Request): Promise<Uint8Array> {
  const contentType = request.headers.get('content-type');
  const isDeclared = isAvatarType(contentType?.split(';')[0]?.trim().toLowerCase() ?? null);
  const wrongType =
    encodingProblem(request.headers, ' and send the image uncompressed.') ??
    (isDeclared ? null : wrongContentType(contentType, 'not supported', AS_IMAGE));
  const bytes = await readBody(request, { maxBytes: LIMITS.avatarBytes, tooLarge, wrongType });
  if (bytes.length === 0) throw new AppError('invalid', 'The body is empty. Send an image.');
  if (!isAvatarType(imageType(Buffer.from(bytes)))) {
    throw new AppError(
      'unsupported_media_type',
      'This file is not a PNG, JPEG or WebP image. Send one of these formats.',
    );
  }
  const size = await imageSize(bytes);
  if (size && Math.max(size.width, size.height) > LIMITS.avatarPixels) {
    const max = `${LIMITS.avatarPixels} × ${LIMITS.avatarPixels}`;
    throw new AppError(
      'invalid',
      `The image has ${size.width} × ${size.height} pixels; at most ${max} are accepted. Scale it down.`,
    );
  }
  const avatar = size && (await scaledImage(bytes, SIDE, QUALITY).catch(() => null));
  if (avatar) return avatar;
  throw new AppError('invalid', 'This image is damaged or incomplete. Save it again and send the new file.');
}

function tooLarge(actual: string): AppError {
  return new AppError(
    'too_large',
    `The image has ${actual} bytes; at most ${LIMITS.avatarBytes} (256 KiB) are accepted. Use a smaller image.`,
  );
}
