import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';

/** jsdom leaves out what every browser has. */
Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream });
