import { contract } from '@app/contracts/contract';
import { takesKey, type EndpointMeta } from '@app/contracts/endpoint';
import { contractRoutes, type InputSchema } from './http-edge/contract-routes.ts';
import type { Scene } from './scene-kit.ts';

/**
 * A scene for each act that takes a key and needs nothing but a thing that is there: its id, its version, and switches, which are
 * turned on. The maker is found by the field that holds the id.
 */
export function openPlainRequests(makers: Readonly<Record<string, Scene>>): Record<string, Scene> {
  const scenes: Record<string, Scene> = {};
  for (const { name, schema } of contractRoutes.filter((route) => takesKey(repeatOf(route.name)))) {
    const idField = Object.keys(schema.properties ?? {}).find((field) => makers[field]);
    const make = idField === undefined ? undefined : makers[idField];
    if (idField === undefined || !make || !needsOnly(schema, idField)) continue;
    scenes[name] = async () => {
      const made = await make();
      return Object.fromEntries((schema.required ?? []).map((field) => [field, made[field] ?? true]));
    };
  }
  return scenes;
}

function needsOnly({ properties = {}, required = [] }: InputSchema, idField: string): boolean {
  return required.every(
    (field) => field === idField || field === 'version' || properties[field]?.type === 'boolean',
  );
}

function repeatOf(name: string): EndpointMeta['repeat'] {
  const [feature, endpoint] = name.split('.') as ['contacts', 'create']; // any of them has the same shape
  return (contract[feature][endpoint]['~orpc'].meta as EndpointMeta).repeat;
}
