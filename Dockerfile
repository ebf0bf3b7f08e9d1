# The Talus image: build, test, and a small runtime without compilers, shells' package caches or root.
#
#   docker build -t talus .                                       the unit tests run inside; no image when one fails
#   docker build -t talus --build-arg TESTS=determinism_tests .   other test programs of tests/CMakeLists.txt
#
# deploy/test-image.sh builds and runs it where there is no Docker engine.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY deploy/packages.txt deploy/install.sh deploy/build_jobs.sh deploy/
RUN deploy/install.sh build
# A builder that mounts a folder at /ccache keeps compiled objects between builds.
ENV CCACHE_DIR=/ccache CCACHE_BASEDIR=/src CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale
COPY CMakeLists.txt CMakePresets.json ./
COPY cmake cmake
COPY proto proto
COPY solver solver
COPY server server
COPY clients clients
RUN cmake --preset release -DTALUS_TESTS=OFF -DTALUS_BENCH=OFF && \
    cmake --build build/release --parallel "$(deploy/build_jobs.sh)" --target talus_server talusctl && \
    install -D --strip -t /out/bin build/release/bin/talus_server build/release/bin/talusctl

FROM build AS test
RUN deploy/install.sh test
COPY tests tests
COPY docs/PROTOCOL.md docs/
ARG TESTS="solver_unit_tests problem_file_tests ring_unit_tests service_unit_tests"
RUN cmake --preset release -DTALUS_TESTS=ON -DTALUS_BENCH=OFF -DTALUS_NODE=OFF && \
    cmake --build build/release --parallel "$(deploy/build_jobs.sh)" --target ${TESTS} && \
    for name in ${TESTS}; do \
      build/release/tests/${name} --gtest_brief=1 > ${name}.log 2>&1 || { tail -n 100 ${name}.log; exit 1; }; \
      echo "${name}: $(tail -n 1 ${name}.log)" | tee -a /out/tests.txt; \
    done

FROM ${BASE} AS runtime
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Talus" \
      org.opencontainers.image.description="Rigid-body contact dynamics as a gRPC service" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY deploy/packages.txt deploy/install.sh /tmp/deploy/
RUN /tmp/deploy/install.sh runtime && \
    rm -rf /tmp/deploy /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/*.log /var/log/apt && \
    groupadd --gid 10001 talus && useradd --uid 10001 --gid talus --no-create-home --home-dir /data talus && \
    install -d -o talus -g talus /data
COPY --from=build /out/bin/ /usr/local/bin/
COPY clients/scenes/ /usr/local/share/talus/scenes/
COPY LICENSE /usr/local/share/talus/
# Taking what the tests said makes the runtime depend on them: no image without passed tests.
COPY --from=test /out/tests.txt /usr/local/share/talus/
USER 10001:10001
WORKDIR /data
VOLUME /data
# Every option of the server can be given as TALUS_<OPTION>. In a container it listens to all of the container's own
# network, which the operator decides to publish or not; that is what `insecure` agrees to.
ENV TALUS_LISTEN=0.0.0.0:50051 TALUS_INSECURE=true TALUS_LOG_FORMAT=json
# What callers make by name; mount a folder of your own and name it here to serve others.
ENV TALUS_SCENES=/usr/local/share/talus/scenes
# Scenes that changed are stored each minute and when the server drains, so that they come back with the next one.
ENV TALUS_DATA_DIR=/data TALUS_AUTOSAVE_SECONDS=60
EXPOSE 50051
STOPSIGNAL SIGTERM
# It asks where TALUS_LISTEN says that the server listens, and where TALUS_TLS_CERT is set by TLS.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["talus_server", "--health-check"]
# No entry point: the same image runs the batch command, `docker run talus talusctl run scene.json --out /data/run`.
CMD ["talus_server"]
