// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// The smallest contracts that check callers as the network's own machine stations do.

error ZeroAddress();
error NonceAlreadyUsed(uint256 nonce);
error InvalidOwnerSignature(bytes32 structHash, uint256 nonce);
error InvalidMachineOwnerSignature(bytes32 structHash, uint256 nonce);
error NotAuthorized(address caller);
error TargetCallFailed(address target);
error AccessControlUnauthorizedAccount(address account, bytes32 neededRole);
error InsufficientFactoryBalance();

/// Recovers who signed typed data of this contract's own domain.
abstract contract Signed {
    string private name;
    string private version;

    constructor(string memory name_, string memory version_) {
        name = name_;
        version = version_;
    }

    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        return (hex"0f", name, version, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function signerOf(bytes32 structHash, bytes memory signature) internal view returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        if (uint256(s) > 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0) return address(0);
        return ecrecover(keccak256(abi.encodePacked(hex"1901", separator, structHash)), v, r, s);
    }
}

/// A machine's account: it makes calls that its owner has signed, and only through the factory.
contract MachineAccount is Signed {
    address public immutable owner;
    address private immutable station;
    mapping(uint256 => bool) private used;

    event MachineTransactionExecuted(address indexed sender, address indexed machineAddress, address target);

    constructor(address owner_, string memory version) Signed("MachineSmartAccount", version) {
        owner = owner_;
        station = msg.sender;
    }

    function execute(address target, bytes calldata data, uint256 nonce, bytes calldata signature) external {
        if (msg.sender != station) revert NotAuthorized(msg.sender);
        if (used[nonce]) revert NonceAlreadyUsed(nonce);
        bytes32 structHash = keccak256(
            abi.encode(keccak256("Execute(address target,bytes data,uint256 nonce)"), target, keccak256(data), nonce)
        );
        if (signerOf(structHash, signature) != owner) revert InvalidMachineOwnerSignature(structHash, nonce);
        used[nonce] = true;
        (bool done,) = target.call(data);
        if (!done) revert TargetCallFailed(target);
        emit MachineTransactionExecuted(msg.sender, address(this), target);
    }
}

/// What both generations of the factory have in common.
abstract contract Station is Signed {
    bytes32 public constant STATION_MANAGER_ROLE = keccak256("STATION_MANAGER_ROLE");

    string private accountVersion;
    uint256 private fee;
    mapping(bytes32 => mapping(address => bool)) public hasRole;
    mapping(uint256 => bool) internal used;

    event MachineSmartAccountDeployed(address indexed deployedAddress);

    constructor(address admin, address manager, string memory version) payable Signed("MachineStationFactory", version) {
        accountVersion = version;
        hasRole[0x00][admin] = true;
        hasRole[STATION_MANAGER_ROLE][manager] = true;
    }

    /// For tests: grants or revokes a role, without checking the caller.
    function setRole(bytes32 role, address account, bool has) external {
        hasRole[role][account] = has;
    }

    /// For tests: sets what the factory gives to the owner of each account.
    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    function deployMachineSmartAccount(address machineOwner, uint256 nonce, bytes calldata signature)
        external
        returns (address)
    {
        if (!hasRole[STATION_MANAGER_ROLE][msg.sender]) {
            revert AccessControlUnauthorizedAccount(msg.sender, STATION_MANAGER_ROLE);
        }
        if (machineOwner == address(0)) revert ZeroAddress();
        useNonce(
            keccak256(
                abi.encode(keccak256("DeployMachineSmartAccount(address machineOwner,uint256 nonce)"), machineOwner, nonce)
            ),
            nonce,
            signature
        );
        if (address(this).balance < fee) revert InsufficientFactoryBalance();
        if (fee > 0) payable(machineOwner).transfer(fee);
        address deployed = address(new MachineAccount(machineOwner, accountVersion));
        emit MachineSmartAccountDeployed(deployed);
        return deployed;
    }

    /// Uses a nonce. Everybody shares the nonces: each is used once, and only with the admin's signature.
    function useNonce(bytes32 structHash, uint256 nonce, bytes calldata signature) internal {
        if (used[nonce]) revert NonceAlreadyUsed(nonce);
        if (!hasRole[0x00][signerOf(structHash, signature)]) revert InvalidOwnerSignature(structHash, nonce);
        used[nonce] = true;
    }
}

contract MachineStation is Station {
    constructor(address admin, address manager, string memory version) payable Station(admin, manager, version) {}

    function executeMachineTransaction(
        address machine,
        address target,
        bytes calldata data,
        uint256 nonce,
        uint256 refundAmount,
        bytes calldata signature,
        bytes calldata machineOwnerSignature
    ) external {
        if (machine == address(0) || target == address(0)) revert ZeroAddress();
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "ExecuteMachineTransaction(address machineAddress,address target,bytes data,uint256 nonce,uint256 refundAmount)"
                ),
                machine,
                target,
                keccak256(data),
                nonce,
                refundAmount
            )
        );
        useNonce(structHash, nonce, signature);
        MachineAccount(machine).execute(target, data, nonce, machineOwnerSignature);
    }
}

/// The generation before refunds of a chosen amount.
contract OlderMachineStation is Station {
    constructor(address admin, address manager, string memory version) payable Station(admin, manager, version) {}

    function executeMachineTransaction(
        address machine,
        address target,
        bytes calldata data,
        uint256 nonce,
        bytes calldata signature,
        bytes calldata machineOwnerSignature
    ) external {
        if (machine == address(0) || target == address(0)) revert ZeroAddress();
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("ExecuteMachineTransaction(address machineAddress,address target,bytes data,uint256 nonce)"),
                machine,
                target,
                keccak256(data),
                nonce
            )
        );
        useNonce(structHash, nonce, signature);
        MachineAccount(machine).execute(target, data, nonce, machineOwnerSignature);
    }
}
