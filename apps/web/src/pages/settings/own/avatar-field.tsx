import { ImageUp } from 'icons';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { Avatar, avatarOf, BOT, updateAvatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Problem, useTask } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/toast.tsx';

export function OwnAvatarField() {
  const { id, name } = useWorkspace().me.value;
  return (
    <AvatarField
      {...{ id, name }}
      kind="user"
      label="Avatar"
      help="Visible to members of your Hubs. Cropped to a square; metadata removed."
      path="/me/avatar"
    />
  );
}

/** The avatar of the bot, for admins. `name` is the name of the bot. */
export function BotAvatarField({ name }: { name: string }) {
  return (
    <AvatarField
      {...{ id: BOT, name }}
      kind="key"
      label="Bot avatar"
      help="Shown next to posts made with a key. If you don’t set an avatar, each key shows its initials."
      path="/workspace/bot-avatar"
    />
  );
}

interface AvatarFieldProps {
  id: string;
  name: string;
  /** That of a key is a square. */
  kind: 'user' | 'key';
  label: string;
  path: '/me/avatar' | '/workspace/bot-avatar';
  help: string;
}

/** A field to choose an avatar, with a preview of the square crop before the upload. */
function AvatarField(props: AvatarFieldProps) {
  const { label, path, help, ...owner } = props;
  const src = avatarOf(owner.id);
  const id = useId();
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const { run, isBusy, error, forget } = useTask();
  const canvas = useRef<HTMLCanvasElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const file = useRef<HTMLInputElement>(null);

  const leavePreview = () => {
    setImage(null);
    forget();
    choose.current?.focus();
  };
  const preview = (picked: File | undefined) =>
    run(async () => {
      if (picked) setImage(await readAvatar(picked));
    });
  const save = () =>
    run(async () => {
      if (!canvas.current) return;
      const saved = await request(`PUT ${path}`, { body: await encode(canvas.current) });
      updateAvatar(saved, saved.version);
      leavePreview();
      toast(`${label} saved.`);
    });
  const remove = () =>
    run(async () => {
      updateAvatar(await request(`DELETE ${path}`), null);
      choose.current?.focus();
      toast(`${label} removed.`);
    });

  return (
    <div class="field avatar-field" role="group" aria-labelledby={`${id}-label`}>
      <span class="label" id={`${id}-label`}>
        {label}
      </span>
      <div class="row">
        {image ? <Preview kind={owner.kind} avatar={image} canvas={canvas} /> : <Avatar {...owner} size="xl" />}
        <div class="actions">
          {image && <SaveButton isBusy={isBusy} onSave={() => void save()} />}
          {image && <Button label="Cancel" onClick={leavePreview} />}
          <button
            class={image ? 'btn is-bare' : 'btn'}
            type="button"
            ref={choose}
            aria-describedby={`${id}-help ${id}-error`}
            onClick={() => file.current?.click()}
          >
            <ImageUp />
            {image || src !== null ? 'Choose another image' : 'Choose image'}
          </button>
          {!image && src !== null && (
            <Button variant="is-bare" label="Remove" aria-disabled={isBusy} onClick={() => void remove()} />
          )}
        </div>
      </div>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp,image/*"
        hidden
        ref={file}
        onChange={({ currentTarget }) => {
          void preview(currentTarget.files?.[0]);
          // Allows choosing the same file again.
          currentTarget.value = '';
        }}
      />
      <p class="help" id={`${id}-help`} role="status">
        {image ? 'Preview. Nothing is uploaded until you save.' : help}
      </p>
      <Problem id={`${id}-error`} text={error} />
    </div>
  );
}

interface PreviewProps extends Pick<AvatarFieldProps, 'kind'> {
  avatar: ImageBitmap;
  canvas: { current: HTMLCanvasElement | null };
}

function Preview({ kind, avatar, canvas }: PreviewProps) {
  useEffect(() => {
    if (canvas.current) drawSquare(canvas.current, avatar);
    return () => avatar.close();
  }, [avatar]);
  return (
    <span class={kind === 'key' ? 'avatar is-xl is-key' : 'avatar is-xl'}>
      <canvas ref={canvas} role="img" aria-label="Avatar preview" />
    </span>
  );
}

/** Takes the focus, since saving is the next step for keyboard users. */
function SaveButton({ isBusy, onSave }: { isBusy: boolean; onSave: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button class="btn is-main" type="button" ref={button} aria-disabled={isBusy} onClick={onSave}>
      {isBusy ? 'Saving…' : 'Save avatar'}
    </button>
  );
}

/** Width and height of the uploaded image, in pixels: twice the largest avatar. */
const SIDE = 256;
/** The maximum size of the chosen file. A photo from a good camera is about 25 MB. */
const MAX_BYTES = 40_000_000;

/**
 * Decodes an image file.
 * @throws Error with a message for the user if the browser cannot read it.
 */
async function readAvatar(file: Blob): Promise<ImageBitmap> {
  if (file.size > MAX_BYTES) {
    const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
    throw new Error(
      `This file is ${megabytes(file.size)} MB; the limit is ${megabytes(MAX_BYTES)} MB. Choose a smaller one.`,
    );
  }
  try {
    return await createImageBitmap(file);
  } catch {
    throw new Error('Your browser can’t read this image. Choose a PNG, JPEG or WebP file.');
  }
}

function drawSquare(canvas: HTMLCanvasElement, avatar: ImageBitmap): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  canvas.width = SIDE;
  canvas.height = SIDE;
  const side = Math.min(avatar.width, avatar.height);
  const [left, top] = [(avatar.width - side) / 2, (avatar.height - side) / 2];
  context.imageSmoothingQuality = 'high';
  context.drawImage(avatar, left, top, side, side, 0, 0, SIDE, SIDE);
}

/**
 * Encodes the canvas, so that only the pixels of the original file remain. The server compresses it.
 * @throws Error with a message for the user.
 */
async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (png) return png;
  throw new Error('Your browser can’t process this image. Choose another one.');
}
