import type { ConnectorKind } from '@app/domain/integrations/connector-kind';

/** Every service that this product exchanges data with. */
export const connectorKinds: readonly ConnectorKind[] = [];
