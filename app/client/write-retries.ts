/** How often to retry a write (product specification, section 9: mutation retries and defaults). */
export const WRITE_RETRIES = {
  default: 1,
  login: 0,
  onboard: 0,
  acceptTerms: 1,
  claim: 1,
  requestMachineId: 1,
  updateMachineIdSignature: 0,
} as const;
