package com.acme.backup;

import com.acme.backup.proto.BackupGrpc;
import com.acme.backup.proto.BackupReply;
import com.acme.backup.proto.DumpRequest;
import com.acme.backup.proto.FetchRequest;
import com.acme.backup.proto.FetchReply;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

public class BackupService extends BackupGrpc.BackupImplBase {

    private static final Pattern IDENT = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    private final File store = new File("/var/backups/pg");

    @Override
    public void dumpTable(DumpRequest req, StreamObserver<BackupReply> out) {
        if (!IDENT.matcher(req.getTable()).find()) {
            out.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            return;
        }
        String cmd = "pg_dump -t " + req.getTable() + " app | gzip > " + store + "/table.sql.gz";
        try {
            finish(new ProcessBuilder("sh", "-c", cmd).start(), out);
        } catch (IOException e) {
            out.onError(Status.INTERNAL.withCause(e).asRuntimeException());
        }
    }

    @Override
    public void dumpSchema(DumpRequest req, StreamObserver<BackupReply> out) {
        String schema = req.getSchema();
        if (!IDENT.matcher(schema).matches()) {
            out.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            return;
        }
        String cmd = "pg_dump -n " + schema + " app | gzip > " + store + "/" + schema + ".sql.gz";
        try {
            finish(new ProcessBuilder("sh", "-c", cmd).start(), out);
        } catch (IOException e) {
            out.onError(Status.INTERNAL.withCause(e).asRuntimeException());
        }
    }

    @Override
    public void fetch(FetchRequest req, StreamObserver<FetchReply> out) {
        File archive = new File(store, req.getArchive());
        try (FileInputStream in = new FileInputStream(archive)) {
            byte[] chunk = in.readNBytes(1 << 20);
            out.onNext(FetchReply.newBuilder().setData(ByteString.copyFrom(chunk)).build());
            out.onCompleted();
        } catch (IOException e) {
            out.onError(Status.NOT_FOUND.asRuntimeException());
        }
    }

    @Override
    public void fetchById(FetchRequest req, StreamObserver<FetchReply> out) {
        try {
            UUID id = UUID.fromString(req.getId());
            byte[] data = Files.readAllBytes(store.toPath().resolve(id + ".sql.gz"));
            out.onNext(FetchReply.newBuilder().setData(ByteString.copyFrom(data)).build());
            out.onCompleted();
        } catch (IllegalArgumentException | IOException e) {
            out.onError(Status.NOT_FOUND.asRuntimeException());
        }
    }

    private void finish(Process p, StreamObserver<BackupReply> out) {
        try {
            boolean ok = p.waitFor(10, TimeUnit.MINUTES) && p.exitValue() == 0;
            out.onNext(BackupReply.newBuilder().setOk(ok).build());
            out.onCompleted();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            out.onError(Status.CANCELLED.asRuntimeException());
        }
    }
}
