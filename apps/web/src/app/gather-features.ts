import type { Feature, FeatureRoute, NavigationEntry } from '../shared/feature.ts';

/** An entry of the sidebar in its place. */
export interface NavigationItem extends NavigationEntry {
  /** A little space stands above it. */
  startsGroup: boolean;
}

export interface GatheredFeatures {
  routes: readonly FeatureRoute[];
  navigation: readonly NavigationItem[];
}

/**
 * What the app is made of, from what each feature says of itself; the groups are those of the sidebar. Two that say the same is a
 * mistake of the code: it stops the app before anybody meets half of it.
 */
export function gatherFeatures(groups: readonly (readonly Feature[])[]): GatheredFeatures {
  const features = groups.flat();
  const routes = features.flatMap((feature) => feature.routes);
  const navigation = groups.flatMap((group, place) =>
    group
      .flatMap((feature) => feature.navigation ?? [])
      .map((entry, index) => ({ ...entry, startsGroup: place > 0 && index === 0 })),
  );
  refuseDoubles('feature', features, ({ name }) => name);
  refuseDoubles('address', routes, ({ path }) => path);
  refuseDoubles('entry of the sidebar', navigation, ({ path }) => path);
  for (const { path } of navigation)
    if (!routes.some((route) => route.path === path || route.path.startsWith(`${path}/{-$`)))
      throw new Error(`No page stands behind ${path}`);
  return { routes, navigation };
}

function refuseDoubles<Item>(what: string, items: readonly Item[], nameOf: (item: Item) => string): void {
  const names = items.map(nameOf);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`Two features have the same ${what}: ${double}`);
}
