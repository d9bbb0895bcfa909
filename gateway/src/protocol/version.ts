/** `api_version` of every listing and of the capabilities (gateway/PROTOCOL.md#capabilities). */
export const protocolVersion = '1.1.0';

/** The oldest client that still works with it (gateway/PROTOCOL.md#capabilities). */
export const minClientVersion = '1.0.0';

/** `implementation_status` of the capabilities (gateway/PROTOCOL.md#capabilities). */
export const implementationStatus = 'wave7_v1';
