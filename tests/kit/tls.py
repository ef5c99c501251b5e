"""A certificate authority and a server certificate of the tests' own, made anew for each test."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Authority:
    """Files of an own authority, and the TLS settings of a server that it vouches for."""

    certificate: Path
    """What a client must trust."""
    server: ssl.SSLContext


def own_authority(folder: Path, *names: str, expired: bool = False) -> Authority:
    """Make an authority and a certificate for 127.0.0.1 and the given host names."""
    key, server_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Workbench test authority")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0] if names else "127.0.0.1")])
    hosts = [x509.IPAddress(ip_address("127.0.0.1")), *(x509.DNSName(name) for name in names)]
    root = _certificate(issuer, issuer, key, key, x509.BasicConstraints(ca=True, path_length=None), False)
    leaf = _certificate(subject, issuer, server_key, key, x509.SubjectAlternativeName(hosts), expired)
    files = {"ca.pem": _pem(root), "server.pem": _pem(leaf) + _pem(root), "server.key": _private(server_key)}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return Authority(folder / "ca.pem", context)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
    expired: bool,
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=9))
        .not_valid_after(now + timedelta(days=-2 if expired else 2))
        .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if isinstance(extension, x509.BasicConstraints):
        usage = dict.fromkeys(
            ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only"), False
        )  # fmt: skip
        builder = builder.add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
    return builder.sign(signer, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
