/** `api_version` of every listing and of the capabilities (specification section 9). */
export const protocolVersion = '1.1.0';

/** The oldest client that still works with it (specification section 9). */
export const minClientVersion = '1.0.0';

/** `implementation_status` of the capabilities (specification section 9). */
export const implementationStatus = 'wave7_v1';
