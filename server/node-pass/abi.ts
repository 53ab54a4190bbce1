import { parseAbi } from "viem";

/** ERC-721 with ERC-165, and its extensions for metadata and enumeration, which a pass may lack. */
const STANDARD = [
  "function supportsInterface(bytes4 interfaceId) view returns (bool)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function getApproved(uint256 tokenId) view returns (address)",
  "function tokenURI(uint256 tokenId) view returns (string)",
  "function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)",
] as const;

/** What a pass may say beyond the standard. One that says less is shown with less. */
const EXTENSION = [
  "function isActivated(uint256 tokenId) view returns (bool)",
  "function details(uint256 tokenId) view returns (string tier, uint64 mintedAt, uint64 activatedAt)",
  "function operatorsOf(address owner) view returns (address[])",
  "function isWhitelisted(address account) view returns (bool)",
  "function canMint(address account) view returns (bool)",
  "function nonces(address account) view returns (uint256)",
  "function ticketSigner() view returns (address)",
] as const;

export const nodePassAbi = parseAbi([...STANDARD, ...EXTENSION]);

export const ERC721_INTERFACE = "0x80ac58cd";
export const ENUMERABLE_INTERFACE = "0x780e9d63";

/** The types of a golden ticket, which lets this wallet mint once. The domain is the contract's own. */
export const TICKET_TYPES = {
  GoldenTicket: [
    { name: "holder", type: "address" },
    { name: "nonce", type: "uint256" },
  ],
} as const;
