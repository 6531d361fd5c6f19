using System;
using System.IO;
using Amazon.Lambda.APIGatewayEvents;
using Amazon.Lambda.Core;
using Npgsql;

namespace Games;

public enum Board
{
    Daily,
    Weekly,
}

public class ScoreFunction
{
    private static readonly string Cs = Environment.GetEnvironmentVariable("PG") ?? "";

    public APIGatewayProxyResponse Handle(APIGatewayProxyRequest request, ILambdaContext context)
    {
        var q = request.QueryStringParameters;
        if (!Guid.TryParse(q["player"], out var player) || !Enum.TryParse(q["board"], out Board board) || !Enum.IsDefined(board))
        {
            return new APIGatewayProxyResponse { StatusCode = 400 };
        }
        using var conn = new NpgsqlConnection(Cs);
        conn.Open();
        var best = new NpgsqlCommand($"SELECT max(score) FROM score_{board} WHERE player = '{player}'", conn).ExecuteScalar();
        var replay = File.ReadAllText($"/mnt/replays/{player}.json");
        return new APIGatewayProxyResponse { StatusCode = 200, Body = best + "\n" + replay };
    }
}
