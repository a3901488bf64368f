import { makeValue, type InputChoices, type InputSchema } from '../http-edge/contract-routes.ts';

/** One place of an input that takes an id, however deep it lies. */
export type IdField = {
  /** For instance `audience.anyOf[].segmentId`. */
  path: string;
  /** The name that says of what it is the id: that of the field, or of the list that it stands in. */
  name: string;
  /** The whole input, with this id at the place and the choices everywhere else. */
  make(id: string): unknown;
};

type Place = Pick<IdField, 'path' | 'make'> & { name: string };

/** Every place that takes an id, in objects, lists, records and each alternative of a choice. */
export function findIdFields(schema: InputSchema, choices: () => InputChoices): IdField[] {
  return placesIn(schema, '', choices);
}

function placesIn(schema: InputSchema, name: string, choices: () => InputChoices): Place[] {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.flatMap((variant) => placesIn(variant, name, choices));
  if (schema.format === 'uuid') return [{ path: '', name, make: (id) => id }];
  if (schema.items)
    return placesIn(schema.items, name, choices).map((place) => ({
      ...place,
      path: `[]${place.path}`,
      make: (id) => [place.make(id)],
    }));
  if (typeof schema.additionalProperties === 'object')
    return placesIn(schema.additionalProperties, name, choices).map((place) => ({
      ...place,
      path: `{}${place.path}`,
      make: (id) => ({ name: place.make(id) }),
    }));
  return Object.entries(schema.properties ?? {}).flatMap(([property, inner]) =>
    placesIn(inner, property, choices).map((place) => ({
      ...place,
      path: `.${property}${place.path}`,
      make: (id: string) => ({
        ...(makeValue(schema, name, choices()) as object), // a schema with properties makes objects
        [property]: place.make(id),
      }),
    })),
  );
}
