import type { OpenAPI } from '@orpc/contract';
import type { Access } from '@app/contracts/endpoint';
import type { FileRoute } from '../http-edge/file-routes.ts';

type Described = {
  /** Below `/api`, with parameters as `{name}`. */
  path: string;
  method: 'get' | 'post' | 'patch';
  access: Access;
  operation: OpenAPI.OperationObject;
};

/** Addresses with files and streams that keys open, in the form that the contract's have. */
export function describeFiles(files: readonly FileRoute[]): Described[] {
  return files.flatMap(({ method, path, access, forKeys }) => {
    if (!forKeys) return [];
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const parameters: OpenAPI.ParameterObject[] = [
      ...names.map((name) => ({
        ...{ name, in: 'path', required: true },
        schema: { type: 'string' as const, format: 'uuid' },
      })),
      ...Object.entries(forKeys.query ?? {}).map(([name, description]) => ({
        ...{ name, in: 'query', description },
        schema: { type: 'string' as const },
      })),
      ...Object.entries({ ...forKeys.headers, ...forKeys.optionalHeaders }).map(([name, description]) => ({
        ...{ name, in: 'header', description, required: Object.hasOwn(forKeys.headers ?? {}, name) },
        schema: { type: 'string' as const },
      })),
    ];
    const lower = method.toLowerCase() as Described['method']; // of a method that is one of these
    const operation: OpenAPI.OperationObject = {
      operationId: forKeys.name,
      tags: [forKeys.tag],
      summary: forKeys.summary,
      parameters,
      ...(forKeys.takes && { requestBody: { required: true, content: contentOf(forKeys.takes) } }),
      responses: {
        200: { description: 'Done.', content: contentOf(forKeys.gives) },
        ...(forKeys.givesEarly !== undefined && {
          202: { description: forKeys.givesEarly, content: contentOf(forKeys.gives) },
        }),
      },
    };
    return [
      { path: path.slice('/api'.length).replaceAll(/:(\w+)/g, '{$1}'), method: lower, access, operation },
    ];
  });
}

function contentOf(types: readonly string[]): Record<string, OpenAPI.MediaTypeObject> {
  const schema = (type: string) =>
    type === 'application/json' ? {} : { type: 'string' as const, format: 'binary' };
  return Object.fromEntries(types.map((type) => [type, { schema: schema(type) }]));
}
