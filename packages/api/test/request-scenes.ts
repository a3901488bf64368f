import { globSync } from 'node:fs';
import type { ApiCaller, ApiFixture } from './api-fixture.ts';
import { openPlainRequests } from './plain-scenes.ts';
import { createSceneKit, type OpenScenes, type Scene } from './scene-kit.ts';

const HERE = new URL('./', import.meta.url);

/**
 * One scene for every endpoint that takes a key or a version, in which its request succeeds. They are gathered from the folders of the features:
 * `<feature>/<feature>-request-scenes.ts`. `pageUrl` is the address of a page that answers with text.
 */
export async function openRequests(
  api: ApiFixture,
  admin: ApiCaller,
  pageUrl: string,
): Promise<Record<string, Scene>> {
  const kit = createSceneKit(api, admin, pageUrl);
  const features = [];
  for (const path of globSync('*/*-request-scenes.ts', { cwd: HERE }).toSorted()) {
    const { openScenes } = (await import(new URL(path, HERE).href)) as { openScenes: OpenScenes };
    features.push(openScenes(kit));
  }
  return Object.assign(
    openPlainRequests(Object.assign({}, ...features.map(({ makers }) => makers))),
    ...features.map(({ scenes }) => scenes),
  );
}
