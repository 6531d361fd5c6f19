package org.example.fossil;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import org.example.fossil.proto.FossilGrpc;
import org.example.fossil.proto.FossilReply;
import org.example.fossil.proto.LayerRequest;
import org.example.fossil.proto.RegionRequest;
import org.example.fossil.proto.SizeRequest;
import org.example.fossil.proto.TaxonRequest;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;

public class FossilQueryService extends FossilGrpc.FossilImplBase {

    private final DSLContext dsl;

    public FossilQueryService(DSLContext dsl) {
        this.dsl = dsl;
    }

    @Override
    public void byTaxon(TaxonRequest request, StreamObserver<FossilReply> out) {
        List<String> names = dsl.select(field("name", String.class))
            .from(table("fossils"))
            .where(field("taxon", String.class).eq(request.getTaxon()))
            .fetch(field("name", String.class));
        emit(names, out);
    }

    @Override
    public void byLayer(LayerRequest request, StreamObserver<FossilReply> out) {
        String text = "layer = '" + request.getLayer() + "'";
        if (request.getCertain()) {
            text += " and certainty > 0.9";
        }
        List<String> names = dsl.select(field("name", String.class))
            .from(table("fossils"))
            .where(condition(text))
            .fetch(field("name", String.class));
        emit(names, out);
    }

    @Override
    public void byRegion(RegionRequest request, StreamObserver<FossilReply> out) {
        if (request.getRegion().isEmpty()) {
            out.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            return;
        }
        Result<Record> rows = dsl.fetch("select name from fossils_" + request.getRegion() + " order by name");
        emit(rows.getValues(0, String.class), out);
    }

    @Override
    public void bySize(SizeRequest request, StreamObserver<FossilReply> out) {
        Result<Record> rows = dsl.fetch(
            "select name from fossils where length_mm between ? and ? and museum = ?",
            request.getFrom(), request.getTo(), request.getMuseum());
        emit(rows.getValues(0, String.class), out);
    }

    private void emit(List<String> names, StreamObserver<FossilReply> out) {
        names.stream()
            .map(n -> FossilReply.newBuilder().setName(n).build())
            .forEach(out::onNext);
        out.onCompleted();
    }
}
