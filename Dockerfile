# A memory as a service. Built from a checkout: docker build -t onrecord .
# Where it runs: see compose.yaml.

FROM python:3.11-slim AS built
WORKDIR /source
COPY pyproject.toml requirements.lock README.md LICENSE NOTICE ./
COPY encoder ./encoder
COPY src ./src
RUN python -m venv /opt/onrecord \
    && /opt/onrecord/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
    && /opt/onrecord/bin/pip install --no-cache-dir --no-deps ./encoder .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home --home-dir /home/onrecord onrecord \
    && install --directory --owner onrecord --group onrecord --mode 0700 /data
COPY --from=built /opt/onrecord /opt/onrecord
ENV PATH=/opt/onrecord/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ONRECORD_DB=/data/memory.db
USER onrecord
WORKDIR /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8787/healthz', timeout=4)"]
# It listens on every address of the container, so it starts only once there is a key:
#   docker run --rm -v memory:/data onrecord onrecord keys create --scope read --scope write --name first
CMD ["onrecord", "serve", "--host", "0.0.0.0"]
