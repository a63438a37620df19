import { systemClock } from './clock.ts';
import { HubUsageError } from './errors.ts';
import type {
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
  UploadedFile,
} from './items.ts';
import type { HubClientOptions, PostOptions, UploadOptions } from './options.ts';
import { Pacers } from './pacing.ts';
import { type Post, type RuntimeEnvironment, send } from './send.ts';
import { checkPostOptions, readSettings } from './settings.ts';
import { requireSafeRuntime } from './unsafe-runtime.ts';

/**
 * The option that tests use to inject an environment. The package does not export it.
 * @internal
 */
export const RUNTIME_ENVIRONMENT = Symbol('runtime environment');

/** A process may have several copies of this package, such as one for `import` and one for `require`. They share this. */
const PACERS = Symbol.for('@hub/client/pacers/1');

function systemEnvironment(): RuntimeEnvironment {
  const shared = globalThis as { [PACERS]?: Pacers };
  shared[PACERS] ??= new Pacers(systemClock);
  return { clock: systemClock, pacers: shared[PACERS] };
}

/** The operations on items of one kind. */
export interface ItemResource<Input, Created> {
  /**
   * Posts one item and resolves once it is on the server's disk. Every successful call creates a new item.
   *
   * @throws HubApiError or a subclass if the server rejects the post, HubConnectionError if the connection fails,
   * HubUsageError if the options or the input are invalid; the reason of `options.signal` if it aborts.
   */
  create(input: Input, options?: PostOptions): Promise<Created>;
}

/** Uploads of files. */
export interface FileResource {
  /**
   * Uploads one file and resolves once it is on the server's disk. A path is opened first: `Bun.file(path)`, or
   * `await fs.openAsBlob(path)` in Node. A stream is read to its end first. An upload may take ten minutes, unless
   * `timeoutMs` says otherwise.
   *
   * ```ts
   * const { id } = await hub.files.upload(Bun.file('report.png'), { name: 'report.png' });
   * await hub.messages.create({ text: 'The weekly report', files: [id] });
   * ```
   *
   * @throws the same errors as `create`. A failed upload can be repeated: what belongs to no item is deleted.
   */
  upload(file: Blob | Uint8Array | ReadableStream<Uint8Array>, options: UploadOptions): Promise<UploadedFile>;
}

/**
 * Posts messages, notes and to-dos to the Hub of one key.
 *
 * ```ts
 * const hub = new HubClient(); // with HUB_URL and HUB_API_KEY; or { baseUrl: 'https://hub.example.com', apiKey }
 * await hub.messages.create({ text: '**Deploy finished** in 42 s' });
 * ```
 *
 * The key is kept in a closure, so that printing or serializing a client does not show it.
 */
export class HubClient {
  readonly messages: ItemResource<CreateMessageInput, CreatedMessage>;
  readonly notes: ItemResource<CreateNoteInput, CreatedNote>;
  readonly todos: ItemResource<CreateTodoInput, CreatedTodo>;
  readonly files: FileResource;
  /** Returns a client with these options changed, such as `hub.withOptions({ timeoutMs: 5_000 })`. */
  readonly withOptions: (changes: HubClientOptions) => HubClient;

  /** @throws HubUsageError if an option is invalid, or in a browser or React Native, where the key would leak. */
  constructor(options: HubClientOptions = {}) {
    requireSafeRuntime();
    const settings = readSettings(options);
    const environment =
      (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment();

    const resource = <Input extends object, Created>(
      endpoint: Post['endpoint'],
      expectedField: Post['expectedField'],
    ): ItemResource<Input, Created> => ({
      create: async (input, options = {}) => {
        checkPostOptions(options);
        // Serialized before the first wait, so that later changes by the caller are not posted.
        const json = toJson(input);
        const { runMarker } = options;
        const body = async () =>
          runMarker === undefined ? json : (await import('./mark-item.ts')).mark(endpoint, json, runMarker);
        return send<Created>(settings, environment, { endpoint, expectedField, body, options });
      },
    });

    this.withOptions = (changes) => new HubClient({ ...options, ...changes });
    this.messages = resource('messages', 'conversationId');
    this.notes = resource('notes', 'bucketId');
    this.todos = resource('todos', 'bucketId');
    this.files = {
      // Only a Blob has a type.
      upload: async (file, { name, contentType, ...options } = {} as UploadOptions) => {
        checkPostOptions(options, 'upload');
        // Most programs upload nothing.
        const { checkUpload, readStream } = await import('./check-upload.ts');
        checkUpload(file, name);
        return send<UploadedFile>(settings, environment, {
          endpoint: `files?name=${encodeURIComponent(name)}`,
          expectedField: 'name',
          // So that it can be sent again, after a block or a refused connection.
          body: async () => ('getReader' in file ? readStream(file, options.signal) : file),
          contentType: contentType ?? (file as Partial<Blob>).type ?? '',
          options: { timeoutMs: 600_000, ...options },
        });
      },
    };
  }
}

/** Serializes an item. A `Date` is written in UTC with milliseconds, as the server shows it. */
function toJson(input: object): string {
  if (typeof input !== 'object' || input === null) throw new HubUsageError('The item must be an object.');
  const { dueDate } = input as { dueDate?: unknown };
  if (dueDate instanceof Date && Number.isNaN(dueDate.getTime())) {
    throw new HubUsageError('dueDate is an invalid Date.');
  }
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new HubUsageError('The item cannot be converted to JSON.', { cause });
  }
}
