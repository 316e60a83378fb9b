"""Certificates for the stand-in hosts: a root that the boxes trust, and another one ("Example Root CA") that they do not."""
import subprocess


def make(folder, hosts):
    """Makes ca.pem, leaf.pem, untrusted-ca.pem and untrusted.pem in a folder, once."""
    if (folder / "untrusted.pem").exists() and (folder / "hosts").read_text() == " ".join(hosts):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    names = ",".join(f"DNS:{host}" for host in hosts)
    for ca, leaf, subject in (("ca", "leaf", "/CN=closed-loop stand-ins"), ("untrusted-ca", "untrusted", "/O=Example Corp/CN=Example Root CA")):
        subprocess.run(f"""set -e; cd {folder}
            openssl req -x509 -newkey rsa:2048 -nodes -keyout {ca}.key -out {ca}.pem -days 3650 -subj '{subject}' -addext keyUsage=critical,keyCertSign,cRLSign
            openssl req -newkey rsa:2048 -nodes -keyout {leaf}.key -out {leaf}.csr -subj /CN={hosts[0]}
            printf 'basicConstraints=CA:FALSE\nsubjectAltName={names}\nextendedKeyUsage=serverAuth\n' >{leaf}.ext
            openssl x509 -req -in {leaf}.csr -CA {ca}.pem -CAkey {ca}.key -CAcreateserial -days 3650 -extfile {leaf}.ext -out {leaf}.pem
            cat {ca}.pem >>{leaf}.pem""", shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / "hosts").write_text(" ".join(hosts))
    return folder
