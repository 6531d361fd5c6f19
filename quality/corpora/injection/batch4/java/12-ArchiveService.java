package io.vaultline.backup;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vaultline.backup.proto.*;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

public class ArchiveService extends ArchiveServiceGrpc.ArchiveServiceImplBase {

    private static final String CURRENT = "/var/backups/current.tar";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,64}\\.tar");

    @FunctionalInterface
    interface Job {
        Process start() throws IOException;
    }

    @Override
    public void listEntries(ListRequest request, StreamObserver<TextReply> observer) {
        String command = "tar -tvf /var/backups/" + request.getArchive();
        reply(observer, () -> Runtime.getRuntime().exec(command));
    }

    @Override
    public void checksum(ChecksumRequest request, StreamObserver<TextReply> observer) {
        String name = request.getName();
        if (!NAME.matcher(name).matches()) {
            observer.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            return;
        }
        reply(observer, () -> Runtime.getRuntime().exec("sha256sum /var/backups/" + name));
    }

    @Override
    public void restore(RestoreRequest request, StreamObserver<TextReply> observer) {
        List<String> command = new ArrayList<>(List.of("tar", "-C", "/srv/restore", "-xvf", CURRENT));
        for (String member : request.getMembersList()) {
            command.add(member);
        }
        reply(observer, () -> new ProcessBuilder(command).start());
    }

    @Override
    public void inspect(RestoreRequest request, StreamObserver<TextReply> observer) {
        List<String> command = new ArrayList<>(List.of("tar", "-tvf", CURRENT, "--"));
        command.addAll(request.getMembersList());
        reply(observer, () -> new ProcessBuilder(command).start());
    }

    @Override
    public void compress(CompressRequest request, StreamObserver<TextReply> observer) {
        int threads = request.getThreads();
        reply(observer, () -> Runtime.getRuntime().exec("zstd --threads=" + threads + " -f " + CURRENT));
    }

    private void reply(StreamObserver<TextReply> observer, Job job) {
        try {
            byte[] output = job.start().getInputStream().readAllBytes();
            observer.onNext(TextReply.newBuilder().setText(new String(output)).build());
            observer.onCompleted();
        } catch (IOException e) {
            observer.onError(Status.INTERNAL.withCause(e).asRuntimeException());
        }
    }
}
