# cmake -DNPM=… -DSOURCE=… -DPACKAGE=… -P install_dependencies.cmake: node_modules exactly as the lock file says.
file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${PACKAGE}")
execute_process(
  COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
  WORKING_DIRECTORY "${PACKAGE}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message("${output}")
  message(FATAL_ERROR
    "npm ci failed in ${PACKAGE}. It needs the npm registry, or a cache that has the packages of "
    "clients/node/package-lock.json. To build without the Node client, configure with -DTALUS_NODE=OFF.")
endif()
