import { parseAbi } from "viem";

/*
 * The parts of the network's contracts that we call or decode. Sources: peaqnetwork/peaq-evm-smart-contracts
 * (src/machine-station) and peaqnetwork/peaq-network-node (precompiles/peaq-did/did.sol).
 */

const ERRORS = [
  "error ZeroAddress()",
  "error NonceAlreadyUsed(uint256 nonce)",
  "error InvalidOwnerSignature(bytes32 structHash, uint256 nonce)",
  "error InvalidMachineOwnerSignature(bytes32 structHash, uint256 nonce)",
  "error NotAuthorized(address caller)",
  "error TargetCallFailed(address target)",
  "error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
  "error InsufficientFactoryBalance()",
] as const;

const FACTORY = [
  "function STATION_MANAGER_ROLE() view returns (bytes32)",
  "function hasRole(bytes32 role, address account) view returns (bool)",
  "function deployMachineSmartAccount(address machineOwner, uint256 nonce, bytes signature) returns (address)",
  "event MachineSmartAccountDeployed(address indexed deployedAddress)",
  "event MachineTransactionExecuted(address indexed sender, address indexed machineAddress, address target)",
] as const;

export const factoryAbi = parseAbi([
  ...ERRORS,
  ...FACTORY,
  "function executeMachineTransaction(address machineAddress, address target, bytes data, uint256 nonce, uint256 refundAmount, bytes signature, bytes machineOwnerSignature)",
]);

/** The ABI of older factories, whose calls do not name the amount to refund. */
export const olderFactoryAbi = parseAbi([
  ...ERRORS,
  ...FACTORY,
  "function executeMachineTransaction(address machineAddress, address target, bytes data, uint256 nonce, bytes signature, bytes machineOwnerSignature)",
]);

/** The ABI of the network's identity precompile. */
export const identityAbi = parseAbi([
  "struct Attribute { bytes name; bytes value; uint32 validity; uint256 created; }",
  "function addAttribute(address did_account, bytes name, bytes value, uint32 validity_for) returns (bool)",
  "function updateAttribute(address did_account, bytes name, bytes value, uint32 validity_for) returns (bool)",
  "function removeAttribute(address did_account, bytes name) returns (bool)",
  "function readAttribute(address did_account, bytes name) view returns (Attribute)",
]);
