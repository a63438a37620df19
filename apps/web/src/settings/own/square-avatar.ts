/** Width and height of what is sent, in pixels: twice the largest face. */
const SIDE = 256;
/** A photograph of a good camera has some 25 MB. */
const MAX_BYTES = 40_000_000;
const QUALITY = 0.9;

/** @throws Error in words for people if the browser cannot read it. */
export async function readAvatar(file: Blob): Promise<ImageBitmap> {
  if (file.size > MAX_BYTES) {
    const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
    throw new Error(
      `The file has ${megabytes(file.size)} MB; at most ${megabytes(MAX_BYTES)} can be read. Choose a smaller one.`,
    );
  }
  try {
    return await createImageBitmap(file);
  } catch {
    throw new Error('The browser cannot read this file as a picture. Choose a PNG, JPEG or WebP.');
  }
}

/** The largest square in the middle, as it will be shown. */
export function drawSquare(canvas: HTMLCanvasElement, avatar: ImageBitmap): void {
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
 * Encoded anew: nothing but the pixels is left of the file. As WebP; as JPEG, without what is transparent, where the browser
 * makes none.
 * @throws Error in words for people.
 */
export async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  const webp = await blobOf(canvas, 'image/webp');
  if (webp?.type === 'image/webp') return webp;
  const jpeg = await blobOf(onWhite(canvas), 'image/jpeg');
  if (jpeg?.type === 'image/jpeg') return jpeg;
  throw new Error('The browser cannot make a picture of this. Choose another one.');
}

function onWhite(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const white = document.createElement('canvas');
  white.width = canvas.width;
  white.height = canvas.height;
  const context = white.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, white.width, white.height);
    context.drawImage(canvas, 0, 0);
  }
  return white;
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}
