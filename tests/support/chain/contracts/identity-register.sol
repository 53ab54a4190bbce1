// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// Replaces the network's identity precompile: an account writes its own records, each name once.
contract IdentityRegister {
    struct Attribute {
        bytes name;
        bytes value;
        uint32 validity;
        uint256 created;
    }

    mapping(address => mapping(bytes32 => Attribute)) private attributes;

    function addAttribute(address account, bytes calldata name, bytes calldata value, uint32 validity)
        external
        returns (bool)
    {
        require(attributes[account][keccak256(name)].created == 0, "AttributeAlreadyExists");
        return write(account, name, value, validity);
    }

    function updateAttribute(address account, bytes calldata name, bytes calldata value, uint32 validity)
        external
        returns (bool)
    {
        require(attributes[account][keccak256(name)].created != 0, "AttributeNotFound");
        return write(account, name, value, validity);
    }

    function removeAttribute(address account, bytes calldata name) external returns (bool) {
        require(msg.sender == account, "NotOwner");
        delete attributes[account][keccak256(name)];
        return true;
    }

    function readAttribute(address account, bytes calldata name) external view returns (Attribute memory) {
        Attribute memory found = attributes[account][keccak256(name)];
        require(found.created != 0, "AttributeNotFound");
        return found;
    }

    function write(address account, bytes calldata name, bytes calldata value, uint32 validity) private returns (bool) {
        require(msg.sender == account, "NotOwner");
        attributes[account][keccak256(name)] = Attribute(name, value, validity, block.timestamp);
        return true;
    }
}
