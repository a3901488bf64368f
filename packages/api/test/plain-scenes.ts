import { contract } from '@app/contracts/contract';
import { takesKey, type EndpointMeta } from '@app/contracts/endpoint';
import { contractRoutes, type Input, type InputSchema } from './http-edge/contract-routes.ts';

/** Makes what an act needs and answers with its input. Each time anew, and always of the same shape. */
export type Scene = () => Promise<Input>;

/** Makes one thing anew, and answers with the fields that acts on it take: its id and, where it has one, its version. */
type Maker = () => Promise<Input>;

/**
 * A scene for each act that takes a key and needs nothing but a thing that is there: its id, its version, and switches, which are
 * turned on. The maker is found by the field that holds the id.
 */
export function openPlainRequests(makers: Record<string, Maker>): Record<string, Scene> {
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
