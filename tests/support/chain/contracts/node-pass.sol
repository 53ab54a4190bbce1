// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

import {Signed} from "machine-station.sol";

/// The smallest pass: ERC-721 with metadata and enumeration, and what the product calls in addition.
contract NodePass is Signed {
    struct Details {
        string tier;
        uint64 mintedAt;
        uint64 activatedAt;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    bytes32 private constant TICKET = keccak256("GoldenTicket(address holder,uint256 nonce)");

    string public name;
    string public constant symbol = "PASS";
    address private immutable admin;
    /// The signer of the golden tickets needed to mint; zero if none is needed.
    address public ticketSigner;

    mapping(uint256 => address) private owners;
    mapping(uint256 => address) private approvals;
    mapping(uint256 => string) private uris;
    mapping(uint256 => Details) private described;
    mapping(address => uint256[]) private held;
    mapping(address => address[]) private operators;
    mapping(address => bool) public isWhitelisted;
    mapping(address => uint256) public nonces;
    uint256[] private all;

    constructor(string memory name_, address signer) Signed("NodePass", "1") {
        name = name_;
        admin = msg.sender;
        ticketSigner = signer;
    }

    modifier onlyAdmin() {
        require(msg.sender == admin, "NotAdmin");
        _;
    }

    modifier exists(uint256 tokenId) {
        require(owners[tokenId] != address(0), "NoSuchToken");
        _;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x780e9d63;
    }

    function whitelist(address account, bool listed) external onlyAdmin {
        isWhitelisted[account] = listed;
    }

    function issue(address to, uint256 tokenId, string calldata uri, string calldata tier) external onlyAdmin {
        uris[tokenId] = uri;
        add(to, tokenId, tier);
    }

    function activate(uint256 tokenId) external {
        require(ownerOf(tokenId) == msg.sender, "NotOwner");
        described[tokenId].activatedAt = uint64(block.timestamp);
    }

    /// Returns whether an account may mint: one pass per account on the list. A ticket may be needed as well.
    function canMint(address account) public view returns (bool) {
        return isWhitelisted[account] && held[account].length == 0;
    }

    function mint(uint256 tokenId, bytes calldata ticket) external {
        require(canMint(msg.sender), "CannotMint");
        if (ticketSigner != address(0)) {
            bytes32 structHash = keccak256(abi.encode(TICKET, msg.sender, nonces[msg.sender]++));
            require(signerOf(structHash, ticket) == ticketSigner, "InvalidTicket");
        }
        add(msg.sender, tokenId, "Standard");
    }

    function add(address to, uint256 tokenId, string memory tier) private {
        require(owners[tokenId] == address(0) && to != address(0), "TokenExists");
        owners[tokenId] = to;
        held[to].push(tokenId);
        all.push(tokenId);
        described[tokenId] = Details(tier, uint64(block.timestamp), 0);
        emit Transfer(address(0), to, tokenId);
    }

    function approve(address to, uint256 tokenId) external {
        require(ownerOf(tokenId) == msg.sender, "NotOwner");
        approvals[tokenId] = to;
        emit Approval(msg.sender, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        address[] storage mine = operators[msg.sender];
        uint256 i = 0;
        while (i < mine.length && mine[i] != operator) i++;
        if (approved && i == mine.length) mine.push(operator);
        if (!approved && i < mine.length) {
            mine[i] = mine[mine.length - 1];
            mine.pop();
        }
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from && to != address(0), "NotOwner");
        bool allowed = msg.sender == from || approvals[tokenId] == msg.sender || isApprovedForAll(from, msg.sender);
        require(allowed, "NotApproved");
        uint256[] storage tokens = held[from];
        uint256 i = 0;
        while (tokens[i] != tokenId) i++;
        tokens[i] = tokens[tokens.length - 1];
        tokens.pop();
        held[to].push(tokenId);
        owners[tokenId] = to;
        delete approvals[tokenId];
        emit Transfer(from, to, tokenId);
    }

    function balanceOf(address owner) external view returns (uint256) {
        return held[owner].length;
    }

    function totalSupply() external view returns (uint256) {
        return all.length;
    }

    function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256) {
        return held[owner][index];
    }

    function ownerOf(uint256 tokenId) public view exists(tokenId) returns (address) {
        return owners[tokenId];
    }

    function tokenURI(uint256 tokenId) external view exists(tokenId) returns (string memory) {
        return uris[tokenId];
    }

    function getApproved(uint256 tokenId) external view exists(tokenId) returns (address) {
        return approvals[tokenId];
    }

    function isApprovedForAll(address owner, address operator) public view returns (bool) {
        for (uint256 i = 0; i < operators[owner].length; i++) if (operators[owner][i] == operator) return true;
        return false;
    }

    function operatorsOf(address owner) external view returns (address[] memory) {
        return operators[owner];
    }

    function isActivated(uint256 tokenId) external view exists(tokenId) returns (bool) {
        return described[tokenId].activatedAt != 0;
    }

    function details(uint256 tokenId) external view exists(tokenId) returns (string memory, uint64, uint64) {
        Details storage it = described[tokenId];
        return (it.tier, it.mintedAt, it.activatedAt);
    }
}

/// ERC-721 and nothing more. What it says about its tokens is as bad as possible.
contract PlainPass {
    address private immutable holder;

    constructor(address holder_) {
        holder = holder_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    /// Returns neither a text nor anything else that makes sense.
    function name() external pure returns (uint256) {
        return type(uint256).max;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return owner == holder ? type(uint256).max : 0;
    }

    function ownerOf(uint256) external view returns (address) {
        return holder;
    }

    function getApproved(uint256) external pure returns (address) {
        return address(0);
    }

    function tokenURI(uint256) external pure returns (string memory) {
        return "http://169.254.169.254/latest/meta-data";
    }
}

/// Replaces the Multicall3 that most networks have: many calls in one.
contract ManyCalls {
    struct Call {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call[] calldata calls) external view returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.staticcall(calls[i].callData);
        }
    }
}
